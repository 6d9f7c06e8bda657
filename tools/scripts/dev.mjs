// npm run dev: compiles when a source file changes, and restarts the server with what was compiled.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, watch } from 'node:fs'
import path from 'node:path'
import { bundle, productOfTsc } from './build.mjs'
import { root, run, tool } from './process.mjs'

/** @import { ChildProcess } from 'node:child_process' */

const packages = path.join(root, 'packages')
const main = path.join(packages, 'server/dist/main.js')

/** Editors and branch switches write several files at once. */
const settleMs = 150

/**
 * Runs the server until a stop signal comes. After a change that does not compile, the server before it keeps running.
 *
 * @param {string[]} args
 */
export async function develop(args) {
  let wake = () => {}
  let changed = false
  let server = startServer(args)
  const watchSources = folderWatcher(() => {
    changed = true
    wake()
  })
  watchSources()
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, async () => {
      await stopServer(server)
      process.exit(0)
    })
  }
  while (true) {
    if (!changed) await new Promise((resolve) => (wake = () => resolve(undefined)))
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    changed = false
    watchSources()
    if ((await run(tool('tsc'), productOfTsc)) !== 0) continue
    await bundle('docs')
    console.log('\nCompiled; restarting the server.')
    await stopServer(server)
    server = startServer(args)
  }
}

/**
 * Returns a function that watches every source folder which is not watched yet. Folders are watched one by one: the
 * recursive watch of Node 20 loses a file when an editor replaces it.
 *
 * @param {() => void} onChange
 */
function folderWatcher(onChange) {
  const watched = new Set()
  return () => {
    for (const folder of readdirSync(packages).flatMap((name) => foldersIn(path.join(packages, name, 'src')))) {
      if (watched.has(folder)) continue
      watched.add(folder)
      const watcher = watch(folder, (_event, file) => file?.endsWith('.ts') !== false && onChange())
      watcher.on('error', () => {
        watcher.close()
        watched.delete(folder)
      })
    }
  }
}

/** @param {string} folder */
function foldersIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory())
  return [folder, ...folders.map((entry) => path.join(entry.parentPath, entry.name))]
}

/** @param {string[]} args */
function startServer(args) {
  return spawn(process.execPath, [main, ...args], { cwd: root, stdio: 'inherit' })
}

/** @param {ChildProcess} server */
async function stopServer(server) {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGTERM')
  await once(server, 'close')
}
