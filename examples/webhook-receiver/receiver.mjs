// Receives the service's webhooks with node:http, verifies each one and prints it.
import { createServer } from 'node:http'
import { createListener } from '@msgctl/webhook-verifier/node'

const secret = process.env.WEBHOOK_SECRET
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that `msgctl webhook set` printed.')

const listener = createListener(
  {
    'message.delivered': ({ data }) => console.log(`delivered to ${data.recipient} (${data.messageId})`),
    'message.read': ({ data }) => console.log(`read by ${data.recipient} (${data.messageId})`),
    'message.failed': ({ data }) => console.log(`failed for ${data.recipient}: ${data.error}`),
  },
  { secret, onError: (error) => console.error(`refused: ${error.message}`) },
)

const server = createServer(listener).listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log(`listening at http://127.0.0.1:${server.address().port}`)
})
