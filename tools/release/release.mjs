// npm run release -- add | version | status | publish: the changes of the published packages, and their publication.
import path from 'node:path'
import { install } from '../scripts/install.mjs'
import { isRefusal, refusal, root, run, tool } from '../scripts/process.mjs'

const folder = path.join(root, 'tools/release')
/** @param {string[]} args */
const changesets = (...args) => run(path.join(folder, 'node_modules/.bin/changeset'), args)

/** @type {Record<string, (...args: string[]) => Promise<number>>} */
const tasks = {
  /** Asks which packages a change touches, and writes it down. */
  add: (...args) => changesets('add', ...args),
  /** Gives the packages their new versions, and writes their changelogs. */
  version: (...args) => changesets('version', ...args),
  status: (...args) => changesets('status', ...args),
  /** Publishes the new versions and tags them. Only pnpm applies `publishConfig`. */
  async publish() {
    const failed = await run(tool('pnpm'), ['publish', '-r', '--filter', './packages/*', '--no-git-checks'])
    return failed || changesets('tag')
  },
}

const [name = '', ...args] = process.argv.slice(2)
try {
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
  if (task === undefined) throw refusal(`Usage: npm run release -- ${Object.keys(tasks).join('|')}`)
  await install()
  await install(folder, ['--dir', folder])
  process.exitCode = await task(...args)
} catch (error) {
  console.error(isRefusal(error) ? error.message : error)
  process.exitCode = 1
}
