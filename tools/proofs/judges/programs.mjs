// The judges as programs: they need Node 22, and are installed with it into a temporary folder.
import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/process.mjs'

/** @typedef {(name: string, args: string[], onText?: (text: string) => void) => Promise<Output>} Run Runs a judge. */
/** @typedef {{ output: string, code: number | null }} Output */

/**
 * A row of the results.
 *
 * @typedef {object} Row
 * @property {string} judge
 * @property {string} result
 * @property {string[]} failed
 * @property {boolean} isRight
 * @property {string} output
 */

/** @typedef {{ folder: string, env: NodeJS.ProcessEnv, onText?: ((text: string) => void) | undefined }} RunOptions */

const execute = promisify(execFile)
const limitMs = 300_000

/**
 * Installs the judges into a folder, unless they are there. Returns how to run each by its name.
 *
 * @param {string} folder
 * @returns {Promise<Run>}
 */
export async function installJudges(folder) {
  if (!existsSync(path.join(folder, 'node_modules/node/bin/node'))) {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(path.join(root, 'tools/proofs/judges', file), path.join(folder, file))
    await execute('npm', ['ci', '--no-audit', '--no-fund', '--prefix', folder], { cwd: folder })
  }
  const node = path.join(folder, 'node_modules/node/bin/node')
  // Programs of the judges start node by its name, too.
  const env = { ...process.env, PATH: `${path.dirname(node)}:${process.env.PATH}`, HOME: folder }
  return (name, args, onText) =>
    run(node, [path.join(folder, 'node_modules/.bin', name), ...args], { folder, env, onText })
}

/**
 * Runs a program and returns its output, whatever its exit code is. `onText` receives the output so far.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} options
 * @returns {Promise<Output>}
 */
function run(file, args, { folder, env, onText }) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (chunk) => {
        output += chunk
        onText?.(output)
      })
    }
    child.on('close', (code) => resolve({ output, code }))
  })
}
