// Calls the POST of a route module with a good request and a changed one.
import { pathToFileURL } from 'node:url'
import { eventOf, signedDelivery, testSecret } from '@msgctl/webhook-verifier/testing'

process.env.WEBHOOK_SECRET = testSecret
const { POST } = await import(pathToFileURL(process.argv[2] ?? '').href)
const { body, headers } = await signedDelivery(eventOf('message.read'))
for (const text of [body, `${body} `]) {
  const response = await POST(new Request('https://app.example/webhooks', { method: 'POST', body: text, headers }))
  console.log(response.status)
}
