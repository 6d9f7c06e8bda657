// The whole check: types, lint, tests, and one closing line that says how many tests passed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run, tool } from './process.mjs'

/**
 * Runs every check, also after one has failed, and ends with `N passed, N failed` alone on a line (N are tests).
 * `args` go to the test runner. Answers the exit code: 0 only when all checks passed and at least one test ran.
 */
export async function runTests(args) {
  const failed = []
  for (const [name, program, ...programArgs] of [
    ['typecheck', tool('tsc'), '-b'],
    ['bundles', process.execPath, 'tools/scripts/build.mjs'],
    ['format and lint', tool('biome'), 'ci', '.'],
    ['unused code', tool('knip')],
  ]) {
    console.log(`\n${name}: ${path.basename(program)} ${programArgs.join(' ')}`)
    if ((await run(program, programArgs)) !== 0) failed.push(name)
  }
  const tests = await runUnitTests(args)
  if (tests.exitCode !== 0) failed.push('tests')
  if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}`)
  console.log(`\n${tests.passed} passed, ${tests.failed} failed`)
  return failed.length === 0 && tests.passed > 0 ? 0 : 1
}

async function runUnitTests(args) {
  const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-report-'))
  const report = path.join(folder, 'report.json')
  const exitCode = await run(tool('vitest'), [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ])
  const { passed, failed } = count(report)
  rmSync(folder, { recursive: true, force: true })
  // A run can also fail beside its tests: in its set-up, by an error nobody caught, or because it found no test.
  return { exitCode, passed, failed: exitCode === 0 ? failed : Math.max(failed, 1) }
}

/** Reads the runner's report, which is missing when the runner broke down early. */
function count(report) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch {
    return { passed: 0, failed: 0 }
  }
}
