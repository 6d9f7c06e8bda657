// npm run generators: clients in several languages, made from the OpenAPI document by other people's generators, compiled and run.
import path from 'node:path'
import { install } from './install.mjs'
import { root, run, tool } from './process.mjs'

const folder = path.join(root, 'tools/generators')
await install(folder, ['--dir', folder])
process.exitCode = await run(tool('vitest'), ['run', '--project', 'openapi', 'tools/generators'], {
  env: { ...process.env, GENERATORS: '1' },
})
