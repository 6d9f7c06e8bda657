// The same route as people would build it from parts: Fastify with a schema, and a job in pg-boss. No key, no limit, no
// check.
import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { openPgBoss } from '../support/peers.mjs'

const boss = await openPgBoss(process.env.DATABASE_URL ?? '')
await boss.createQueue('texts')

/** @typedef {{ phone: string, message: string, priority: string }} Body */

const body = {
  type: 'object',
  required: ['phone', 'message'],
  properties: {
    phone: { type: 'string', minLength: 7, maxLength: 64 },
    message: { type: 'string', minLength: 1, maxLength: 4096 },
    priority: { enum: ['high', 'normal', 'low'], default: 'normal' },
    containerId: { type: 'string', format: 'uuid' },
  },
}
const app = fastify()
app.post('/alert/send', { schema: { body } }, async (/** @type {{ body: Body }} */ request, reply) => {
  const { phone, message, priority } = request.body
  const containerId = randomUUID()
  const messageId = await boss.send('texts', { phone, message, priority, containerId })
  return reply.code(201).send({ success: true, messageId, status: 'queued', priority, containerId })
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
