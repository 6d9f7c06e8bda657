// npm run proof -- judges: the protocol's conformance suite and its Inspector against /mcp. They need Node 22, which is
// installed with them into a temporary folder; `-- --folder <path>` keeps the installation there for the next run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { judgeAuthorization, judgeRequired, judgeServer } from './conformance.mjs'
import { withFixedTools } from './fixed-service.mjs'
import { judgeByInspector } from './inspector.mjs'
import { installJudges } from './programs.mjs'
import { startProxy, startService } from './service.mjs'

/** @import { Row } from './programs.mjs' */

const { values } = parseArgs({ options: { folder: { type: 'string' } } })
const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-judges-'))

/** @returns {Promise<Row[]>} */
async function judge() {
  const run = await installJudges(values.folder === undefined ? folder : path.resolve(values.folder))
  const service = await startService(folder)
  const proxy = await startProxy({ address: service.address, keys: [service.key] })
  try {
    return [
      ...(await judgeServer(run, proxy.url)),
      ...(await judgeAuthorization(run, service.address)),
      ...(await judgeByInspector(run, service.address)),
      await withFixedTools((url) => judgeRequired(run, url, '2026-07-28')),
    ]
  } finally {
    proxy.stop()
    service.stop()
  }
}

const rows = await judge()
for (const { judge: name, result, failed, isRight, output } of rows) {
  process.stdout.write(`${isRight ? 'ok  ' : 'FAIL'} ${name}: ${result} ${failed.join(' ')}`.trimEnd())
  process.stdout.write('\n')
  if (!isRight) writeFileSync(path.join(folder, `${name.replace(/\W+/g, '-')}.log`), output)
}
process.exitCode = rows.every(({ isRight }) => isRight) ? 0 : 1
if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true })
else process.stdout.write(`The outputs are in ${folder}\n`)
