// npm run release -- add | version | status | publish: the changes of the published packages, and their publication.
import path from 'node:path'
import { install } from '../scripts/install.mjs'
import { refusal, root, run, tool } from '../scripts/process.mjs'

const folder = path.join(root, 'tools/release')
const changesets = (...args) => run(path.join(folder, 'node_modules/.bin/changeset'), args)

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
  if (!Object.hasOwn(tasks, name)) throw refusal(`Usage: npm run release -- ${Object.keys(tasks).join('|')}`)
  await install()
  await install(folder, ['--ignore-workspace', '--dir', folder])
  process.exitCode = await tasks[name](...args)
} catch (error) {
  console.error(error instanceof Error && error.expected ? error.message : error)
  process.exitCode = 1
}
