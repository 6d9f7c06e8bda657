// Receives the service's webhooks with Koa.
import { memoryStore } from '@msgctl/webhook-verifier'
import { createKoaMiddleware } from '@msgctl/webhook-verifier/koa'
import Koa from 'koa'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that `msgctl webhook set` printed.')

const receive = createKoaMiddleware(
  {
    'message.read': ({ data }) => console.log(`read by ${data.recipient}`),
    'message.failed': ({ data }) => console.log(`failed for ${data.recipient}: ${data.error}`),
  },
  { secret, store: memoryStore() },
)

const app = new Koa()
// Before any body parser: the signature covers the raw bytes.
app.use((context, next) => (context.method === 'POST' && context.path === '/webhooks' ? receive(context) : next()))

const server = app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`listening at http://127.0.0.1:${server.address().port}/webhooks`)
})
