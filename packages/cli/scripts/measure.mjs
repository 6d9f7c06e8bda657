// Measures how long msgctl takes to start, against node itself in the same run. The marks: --help 1.5, account me 1.8.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import path from 'node:path'

const bin = path.join(import.meta.dirname, '../bin/msgctl.mjs')
const rounds = Number(process.argv[2] ?? 21)

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ success: true, name: 'Ada' }))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const env = {
  ...process.env,
  MSG_API_KEY: 'msk_measure',
  MSG_BASE_URL: `http://127.0.0.1:${server.address().port}/api/v1`,
}

/** Milliseconds of one run. */
function time(args) {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve(performance.now() - start) : reject(new Error(`exit ${code}`))))
  })
}

const commands = {
  'node -e 0': ['-e', '0'],
  'msgctl --help': [bin, '--help'],
  'msgctl account me --json': [bin, 'account', 'me', '--json'],
}
const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]))
// In turns, so that whatever else the machine does falls on all of them alike.
for (let round = 0; round < rounds; round += 1) {
  for (const [name, args] of Object.entries(commands)) times[name].push(await time(args))
}
server.close()

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
const base = median(times['node -e 0'])
for (const [name, list] of Object.entries(times)) {
  console.log(`${name.padEnd(26)} ${median(list).toFixed(0).padStart(5)} ms  ${(median(list) / base).toFixed(2)}x`)
}
