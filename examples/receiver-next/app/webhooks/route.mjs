// Receives the service's webhooks in Next's app router: this is app/webhooks/route.js of an application.
import { memoryStore } from '@msgctl/webhook-verifier'
import { createFetchHandler } from '@msgctl/webhook-verifier/fetch'

// One process remembers what it has handled; with several, give a store that they share.
export const POST = createFetchHandler(
  {
    'message.read': ({ data }) => console.log(`read by ${data.recipient}`),
    'message.failed': ({ data }) => console.log(`failed for ${data.recipient}: ${data.error}`),
  },
  { secret: () => process.env.WEBHOOK_SECRET ?? '', store: memoryStore() },
)
