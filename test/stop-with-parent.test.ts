import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const scripts = pathToFileURL(path.resolve(import.meta.dirname, '../tools/scripts/process.mjs')).href

/** Starts a script that runs until it is stopped, as npm start does, and returns npm's process. */
async function startByNpm() {
  const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-npm-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node program.mjs' } }))
  writeFileSync(
    path.join(folder, 'program.mjs'),
    `import { stopWithParent } from '${scripts}'
    stopWithParent()
    setInterval(() => {}, 1000)
    console.log('started')`,
  )
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const npm = spawn('npm', ['start', '--silent'], { cwd: folder, stdio: [...stdio], detached: true })
  const group = -(npm.pid ?? expect.fail())
  const { stdout } = npm
  if (!stdout) return expect.fail()
  await once(stdout, 'data')
  onTestFinished(() => {
    if (!stdout.closed) process.kill(group, 'SIGKILL')
  })
  return { npm, stdout }
}

it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('a script stops when %s reaches npm alone', async (signal) => {
  const { npm, stdout } = await startByNpm()
  npm.kill(signal)
  // The script holds it too.
  await once(stdout, 'close')
})
