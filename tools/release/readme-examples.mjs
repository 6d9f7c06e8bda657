// Runs what the READMEs show, as it is printed there, in a project that has only the published packages.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { refusal, root, runQuietly, tool } from '../scripts/process.mjs'
import { expected } from './expected-output.mjs'
import { startStubService } from './stub-service.mjs'

/**
 * The TypeScript examples of a package's README, in their order.
 *
 * @param {string} name
 */
function examplesOf(name) {
  const readme = readFileSync(path.join(root, 'packages', name, 'README.md'), 'utf8')
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
}

/**
 * A program's output, up to its end or until it has printed as much as is expected of it.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, lines: number }} options
 * @returns {Promise<string>}
 */
function outputOf(program, args, { cwd, env, lines }) {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, timeout: 20_000 })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
    if (output.split('\n').length > lines) child.kill()
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  // What a program logs is shown only where it failed.
  return new Promise((resolve) => child.on('close', (code) => resolve(`${output}${code ? errors : ''}`.trimEnd())))
}

/**
 * @param {string} name
 * @param {string} output
 * @param {string} wanted
 */
function demand(name, output, wanted) {
  if (output !== wanted) throw refusal(`${name} printed\n${output}\nand not\n${wanted}`)
}

/**
 * Type-checks, compiles and runs every example of these packages; returns their number. Throws when an output differs.
 *
 * @param {string} project
 * @param {string[]} packages
 */
export async function runExamples(project, packages) {
  const names = packages.flatMap((name) =>
    examplesOf(name).map((code, index) => {
      const file = `${name}-${index + 1}`
      writeFileSync(path.join(project, 'src', `${file}.ts`), code)
      return file
    }),
  )
  demand('The list of examples', names.join(' '), Object.keys(expected).join(' '))
  await runQuietly('Type-checking the examples', tool('tsc'), ['-p', project])
  const service = await startStubService()
  try {
    for (const [name, { driver, output }] of Object.entries(expected)) {
      const file = path.join(project, 'out', `${name}.js`)
      const script = driver ? path.join(import.meta.dirname, 'drivers', driver) : file
      if (driver) writeFileSync(path.join(project, driver), readFileSync(script))
      const args = driver ? [path.join(project, driver), file] : [file]
      const options = { cwd: project, env: service.environment, lines: output.split('\n').length }
      demand(name, await outputOf(process.execPath, args, options), output)
    }
    const msgctl = path.join(project, 'node_modules/.bin/msgctl')
    const options = { cwd: project, env: service.environment, lines: Number.POSITIVE_INFINITY }
    const account = await outputOf(msgctl, ['api', 'GET', '/me'], options)
    if (JSON.parse(account).name !== 'Ada') throw refusal(`msgctl printed\n${account}`)
  } finally {
    service.stop()
  }
  return names.length
}
