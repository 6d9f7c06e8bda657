// Installs the programs as their users do, each in an empty folder, and runs them there.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { refusal, root, runQuietly } from '../scripts/process.mjs'

/** @typedef {{ uid?: number, gid?: number }} Account */

const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
const startWithinMs = 60_000
const stopWithinMs = 30_000

/**
 * Returns the tarballs of these packages.
 *
 * @param {string[]} tarballs
 * @param {string[]} names
 */
function pick(tarballs, ...names) {
  return names.map((name) => {
    const found = tarballs.find((file) => path.basename(file).startsWith(`msgctl-${name}-`))
    if (!found) throw refusal(`There is no tarball of ${name}`)
    return found
  })
}

/**
 * Installs msgctl globally, and the server in a folder of its own; starts it there with its embedded Postgres, asks it
 * with msgctl, and stops it. Returns what was seen.
 *
 * @param {string} folder
 * @param {string[]} tarballs
 */
export async function tryPrograms(folder, tarballs) {
  const prefix = path.join(folder, 'global')
  await runQuietly('Installing msgctl', 'npm', [
    'install',
    '--global',
    '--prefix',
    prefix,
    ...quiet,
    ...pick(tarballs, 'cli'),
  ])
  // Postgres refuses to run as root, and an ordinary user has no other account to run it as.
  const users = process.getuid?.() === 0 ? ['root', 'nobody'] : ['this user']
  for (const user of users) await serveAs(user, path.join(folder, `service of ${user}`), { prefix, tarballs })
  return (
    'msgctl runs after npm i -g, and npx @msgctl/server serves it with a Postgres of its own, as ' +
    `${users.join(' and as ')}; the tests of an application start it by @msgctl/server/fixture`
  )
}

/**
 * Runs the tests of the example application with the server that is installed in a folder.
 *
 * @param {string} home
 * @param {Account} account
 */
async function testExample(home, account) {
  const app = path.join(home, 'app')
  cpSync(path.join(root, 'examples/table-booking'), app, { recursive: true })
  const printed = await output(process.execPath, ['--test', path.join(app, 'app.test.mjs')], home, account)
  if (!/^# fail 0$/m.test(printed)) throw refusal(`The tests of the example printed\n${printed}`)
}

/**
 * Installs the server in an empty folder of a user, starts it there as that user, asks it with msgctl, and tests an
 * application with it.
 *
 * @param {string} user
 * @param {string} home
 * @param {{ prefix: string, tarballs: string[] }} installed
 */
async function serveAs(user, home, { prefix, tarballs }) {
  mkdirSync(home)
  const server = pick(tarballs, 'server', 'embedded-postgres', 'client')
  await runQuietly('Installing the server', 'npm', ['install', '--prefix', home, ...quiet, ...server])
  const account = user === 'nobody' ? giveTo(user, home) : {}
  const service = startService(home, account)
  try {
    await service.ready
    const asked = output(path.join(prefix, 'bin/msgctl'), ['account', 'me', '--output', 'json'], home, account)
    const me = JSON.parse(await asked)
    if (me.name === undefined) throw refusal(`msgctl printed\n${JSON.stringify(me)}`)
  } finally {
    await service.stop()
  }
  await testExample(home, account)
}

/**
 * Makes a folder the property of a user, who can reach it then. Returns the ids of the user for a process.
 *
 * @param {string} user
 * @param {string} home
 */
function giveTo(user, home) {
  /** @param {string} flag */
  const idOf = (flag) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout)
  const uid = idOf('-u')
  const gid = idOf('-g')
  chmodSync(path.dirname(home), 0o755)
  const { status, stderr } = spawnSync('chown', ['-R', `${uid}:${gid}`, home], { encoding: 'utf8' })
  if (status !== 0) throw refusal(`chown failed:\n${stderr}`)
  return { uid, gid }
}

/**
 * @param {string} cwd
 * @param {Account} account
 */
function startService(cwd, account) {
  const env = { ...process.env, HOME: cwd, PORT: '0', HOST: '127.0.0.1' }
  const child = spawn(path.join(cwd, 'node_modules/.bin/msgctl-server'), [], { cwd, env, ...account })
  let printed = ''
  const ended = new Promise((resolve) => child.on('close', (code) => resolve(code)))
  /** @type {Promise<void>} */
  const ready = new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(refusal(`The server did not start:\n${printed}`)), startWithinMs)
    /** @param {string} text */
    const collect = (text) => {
      printed += text
      if (!/http:\/\/\S+/.test(printed)) return
      clearTimeout(late)
      resolve()
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    void ended.then((code) => reject(refusal(`The server ended with ${code}:\n${printed}`)))
  })
  return {
    ready,
    async stop() {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs)
      const code = await ended
      clearTimeout(late)
      if (code !== 0) throw refusal(`The server ended with ${code}:\n${printed}`)
    },
  }
}

/**
 * Returns what a program printed; throws unless it ended with 0.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @param {Account} account
 */
async function output(program, args, cwd, account) {
  const child = spawn(program, args, { cwd, env: { ...process.env, HOME: cwd }, ...account })
  let printed = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw refusal(`${path.basename(program)} ended with ${code}:\n${printed}${errors}`)
  return printed
}
