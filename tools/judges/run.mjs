// npm run judges: the protocol's conformance suite and its Inspector against /mcp. They need Node 22, which is installed with them into
// a temporary folder.
import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../scripts/process.mjs'

const execute = promisify(execFile)
const here = path.join(root, 'tools/judges')
const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-judges-'))

/** Installs the judges, and returns the path of Node 22 and of their programs. */
async function installJudges() {
  cpSync(path.join(here, 'package.json'), path.join(folder, 'package.json'))
  await execute('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder], { cwd: folder })
  const program = (name) => path.join(folder, 'node_modules/.bin', name)
  return { node: path.join(folder, 'node_modules/node/bin/node'), program }
}

/** Starts the service with a database of its own. Returns its address, its key, and what stops it. */
async function startService() {
  await execute(process.execPath, [path.join(root, 'tools/scripts/build.mjs')])
  const program = path.join(root, 'packages/server/bin/msgctl-server.mjs')
  const env = { PATH: process.env.PATH, HOME: folder, PORT: '0', DATA_DIR: path.join(folder, 'data') }
  const child = spawn(process.execPath, [program, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8')
  for await (const chunk of child.stdout) {
    text += chunk
    const address = /listens at (\S+)/.exec(text)?.[1]
    const key = /Key\s+(msk_\w+)/.exec(text)?.[1]
    if (address && key) {
      child.stdout.destroy()
      return { address, key, stop: () => child.kill('SIGTERM') }
    }
  }
  throw new Error(`the service did not start: ${text}`)
}

/** The suite cannot send a key: this proxy adds it. */
async function startProxy({ address, key }) {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-api-key': key }
    const passed = request(`${address}${incoming.url}`, { method: incoming.method, headers }, (response) => {
      outgoing.writeHead(response.statusCode, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}/api/v1/mcp`, stop: () => server.close() }
}

/** Runs a program and returns its output, whatever its exit code is. */
async function run(file, args) {
  const options = { cwd: folder, timeout: 180_000, maxBuffer: 64 * 1024 * 1024 }
  const { stdout, stderr, code = 0 } = await execute(file, args, options).catch((error) => error)
  return { output: `${stdout}${stderr}`, code }
}

const scenarios = {
  '2026-07-28': ['tools-list', 'http-header-validation', 'dns-rebinding-protection', 'server-stateless', 'caching'],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
}
/** Checks of the suite's own fixed tools, and of prompts and resources, which this service does not have. */
const expected = JSON.parse(readFileSync(path.join(here, 'expected-failures.json'), 'utf8'))

/** Returns the checks in the output of the suite: a list in JSON between lines of text. */
function checksIn(output) {
  const list = /^\[\n[\s\S]*?^\]/m.exec(output)?.[0]
  return list === undefined ? [] : JSON.parse(list)
}

/** Runs the scenarios of the suite. Returns a row for each with its passed and failed checks. */
async function conformance({ node, program }, url) {
  const rows = []
  for (const [revision, names] of Object.entries(scenarios)) {
    for (const name of names) {
      const args = ['server', '--url', url, '--scenario', name, '--spec-version', revision, '--force', '--verbose']
      const { output } = await run(node, [program('conformance'), ...args])
      const checks = checksIn(output)
      const failed = checks.flatMap(({ id, status }) => (status === 'FAILURE' ? [id] : []))
      const passed = checks.filter(({ status }) => status === 'SUCCESS').length
      const surprising = failed.filter((id) => !(expected[`${revision} ${name}`] ?? []).includes(id))
      const isRight = passed > 0 && surprising.length === 0
      rows.push({ judge: `${revision} ${name}`, result: `${passed}/${passed + failed.length}`, failed, isRight })
      if (!isRight) writeFileSync(path.join(folder, `${revision}-${name}.log`), output)
    }
  }
  return rows
}

/** Runs the check of the OAuth metadata. The code grant of the suite needs a browser; openid-client has it in npm test. */
async function authorization({ node, program }, address) {
  const scenario = 'authorization-server-metadata-endpoint'
  const { output } = await run(node, [
    program('conformance'),
    ...['authorization', '--url', address, '--scenario', scenario, '--verbose'],
  ])
  const checks = checksIn(output)
  const passed = checks.filter(({ status }) => status === 'SUCCESS').length
  const failed = checks.flatMap(({ id, status }) => (status === 'FAILURE' ? [id] : []))
  const isRight = passed > 0 && failed.length === 0
  if (!isRight) writeFileSync(path.join(folder, 'authorization.log'), output)
  return [{ judge: scenario, result: `${passed}/${passed + failed.length}`, failed, isRight }]
}

/** Runs the Inspector's command line. */
async function inspector({ node, program }, url) {
  const rows = []
  const calls = {
    'tools/list': ['--method', 'tools/list'],
    'tools/call': ['--method', 'tools/call', '--tool-name', 'list_numbers'],
  }
  for (const [name, args] of Object.entries(calls)) {
    const { output, code } = await run(node, [program('mcp-inspector'), '--cli', url, '--transport', 'http', ...args])
    const isRight = code === 0 && output.includes('list_numbers') === (name === 'tools/list')
    rows.push({
      judge: `Inspector ${name}`,
      result: `exit ${code}`,
      failed: isRight ? [] : [output.slice(0, 300)],
      isRight,
    })
  }
  return rows
}

async function judge() {
  const judges = await installJudges()
  const service = await startService()
  const proxy = await startProxy(service)
  try {
    return [
      ...(await conformance(judges, proxy.url)),
      ...(await authorization(judges, service.address)),
      ...(await inspector(judges, proxy.url)),
    ]
  } finally {
    proxy.stop()
    service.stop()
  }
}

const rows = await judge()
for (const { judge: name, result, failed, isRight } of rows) {
  process.stdout.write(`${isRight ? 'ok  ' : 'FAIL'} ${name}: ${result} ${failed.join(' ')}\n`)
}
process.exitCode = rows.every(({ isRight }) => isRight) ? 0 : 1
if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true })
else process.stdout.write(`The outputs are in ${folder}\n`)
