// Receives the service's webhooks with Hono; the same application runs on Workers, Deno and Bun.
import { serve } from '@hono/node-server'
import { memoryStore } from '@msgctl/webhook-verifier'
import { createHonoHandler } from '@msgctl/webhook-verifier/hono'
import { Hono } from 'hono'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that `msgctl webhook set` printed.')

const receive = createHonoHandler(
  {
    'message.read': ({ data }) => console.log(`read by ${data.recipient}`),
    'message.failed': ({ data }) => console.log(`failed for ${data.recipient}: ${data.error}`),
  },
  { secret, store: memoryStore() },
)

const app = new Hono()
app.post('/webhooks', receive)

const options = { fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 4000) }
serve(options, ({ port }) => console.log(`listening at http://127.0.0.1:${port}/webhooks`))
