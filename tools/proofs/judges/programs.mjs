// The judges as programs: they need Node 22, and are installed with it into a temporary folder.
import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/process.mjs'

const execute = promisify(execFile)
const limitMs = 300_000

/** Installs the judges into a folder, unless they are there. Returns how to run each by its name. */
export async function installJudges(folder) {
  if (!existsSync(path.join(folder, 'node_modules/node/bin/node'))) {
    cpSync(path.join(root, 'tools/proofs/judges/package.json'), path.join(folder, 'package.json'))
    await execute('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder], { cwd: folder })
  }
  const node = path.join(folder, 'node_modules/node/bin/node')
  // Programs of the judges start node by its name, too.
  const env = { ...process.env, PATH: `${path.dirname(node)}:${process.env.PATH}`, HOME: folder }
  return (name, args, onText) =>
    run(node, [path.join(folder, 'node_modules/.bin', name), ...args], { folder, env, onText })
}

/** Runs a program and returns its output, whatever its exit code is. `onText` receives the output so far. */
function run(file, args, { folder, env, onText = () => undefined }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (chunk) => {
        output += chunk
        onText(output)
      })
    }
    child.on('close', (code) => resolve({ output, code }))
  })
}
