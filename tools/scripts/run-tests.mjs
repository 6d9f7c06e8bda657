// The whole check: build, types, lint, tests, and one closing line that says how many tests passed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run, tool } from './process.mjs'

/** The tasks of turbo.json that `npm test` runs before the tests. */
const checks = ['build', 'typecheck', 'lint']

/**
 * Runs every check, also after one has failed, and ends with `N passed, N failed` alone on a line (N are tests).
 * Passes `args` to the test runner. Returns the exit code: 0 only when all checks passed and at least one test ran.
 *
 * @param {string[]} args
 */
export async function runTests(args) {
  const failed = []
  if ((await turbo([...checks, '--continue'])) !== 0) failed.push('checks')
  const tests = await runUnitTests(args)
  if (tests.exitCode !== 0) failed.push('tests')
  if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}`)
  console.log(`\n${tests.passed} passed, ${tests.failed} failed`)
  return failed.length === 0 && tests.passed > 0 ? 0 : 1
}

/**
 * All tests run in one process of vitest, because each further one would start a Postgres of its own.
 *
 * @param {string[]} args
 */
async function runUnitTests(args) {
  const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-report-'))
  const report = path.join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const exitCode = await turbo(['unit', '--log-prefix=none', '--', ...reporters, ...args])
  const { passed, failed } = count(report)
  rmSync(folder, { recursive: true, force: true })
  // A run can also fail outside of its tests: in its setup, by an uncaught error, or because it found no test.
  return { exitCode, passed, failed: exitCode === 0 ? failed : Math.max(failed, 1) }
}

/**
 * Runs tasks of turbo.json without a network: turbo sends no telemetry.
 *
 * @param {string[]} args
 */
function turbo(args) {
  // turbo runs each script with the pnpm that it finds on the path.
  const binaries = path.dirname(tool('pnpm'))
  const env = {
    ...process.env,
    PATH: `${binaries}${path.delimiter}${process.env.PATH ?? ''}`,
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  }
  return run(tool('turbo'), ['run', '--log-order=stream', ...args], { env })
}

/**
 * Reads the runner's report, which is missing when the runner broke down early.
 *
 * @param {string} report
 */
function count(report) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch {
    return { passed: 0, failed: 0 }
  }
}
