// npm run proof -- generators: clients in several languages, made from the OpenAPI document by other people's
// generators, compiled and run.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { install } from '../scripts/install.mjs'
import { root, run, tool } from '../scripts/process.mjs'

const languages = [
  { name: 'Python', program: 'python3', args: ['--version'] },
  { name: 'Go', program: 'go', args: ['version'] },
]

const folder = path.join(root, 'tools/proofs/generators')
await install(folder, ['--dir', folder])
process.exitCode = await run(tool('vitest'), ['run', '--project', 'service', 'tools/proofs/generators'], {
  env: { ...process.env, GENERATORS: '1' },
})
for (const { name, program, args } of languages) {
  if (spawnSync(program, args).status === 0) continue
  console.log(`Skipped: the client in ${name} was generated but not run, because ${program} is not installed.`)
}
