// npm run proof -- prism: good requests to every operation, through a proxy that holds them and their answers against
// the OpenAPI document.
import path from 'node:path'
import { install } from '../scripts/install.mjs'
import { root, run, tool } from '../scripts/process.mjs'

const folder = path.join(root, 'tools/proofs/prism')
await install(folder, ['--dir', folder])
process.exitCode = await run(tool('vitest'), ['run', '--project', 'service', 'tools/proofs/prism'], {
  env: { ...process.env, PRISM: '1' },
})
