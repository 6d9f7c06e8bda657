// Receives the service's webhooks with Express.
import { memoryStore } from '@msgctl/webhook-verifier'
import { createListener } from '@msgctl/webhook-verifier/node'
import express from 'express'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that `msgctl webhook set` printed.')

const receive = createListener(
  {
    'message.read': ({ data }) => console.log(`read by ${data.recipient}`),
    'message.failed': ({ data }) => console.log(`failed for ${data.recipient}: ${data.error}`),
  },
  { secret, store: memoryStore() },
)

const app = express()
// Before express.json(): the signature covers the raw bytes.
app.post('/webhooks', receive)
app.use(express.json())

const server = app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`listening at http://127.0.0.1:${server.address().port}/webhooks`)
})
