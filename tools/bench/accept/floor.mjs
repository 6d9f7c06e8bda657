// The least a service can do to accept a text durably: parse, insert the row of one message, answer. No key, no limit,
// no queue, no check.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'

/** @import { AddressInfo } from 'node:net' */

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 })
pool.on('error', () => {})
await pool.query('create table if not exists bench_floor (like messages including defaults, primary key (id))')

const insert = {
  name: 'insert',
  text: `insert into bench_floor (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                                    network_client_id,
                                  due_at, queue_at, created_at)
         values ($1, $2, $2, 'alert', 'text', $3, $4, $5, 'queued', $6, $7, $7, $7)`,
}

const server = createServer(async (request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { phone, message, priority = 'normal' } = JSON.parse(String(Buffer.concat(chunks)))
  const [messageId, containerId, at] = [randomUUID(), randomUUID(), new Date()]
  await pool.query({
    ...insert,
    values: [messageId, containerId, phone, message, priority, messageId, at],
  })
  response.writeHead(201, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ success: true, messageId, status: 'queued', priority, containerId }))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {AddressInfo} */ (server.address())
  console.log(`http://127.0.0.1:${port}`)
})
