// Receives the service's webhooks in Next's app router: this is app/webhooks/route.js of an application.
import { memoryStore } from '@msgctl/webhook-verifier'
import { createFetchHandler } from '@msgctl/webhook-verifier/fetch'

// memoryStore works for one process; use a shared store for several.
export const POST = createFetchHandler(
  {
    'message.read': ({ data }) => console.log(`read by ${data.recipient}`),
    'message.failed': ({ data }) => console.log(`failed for ${data.recipient}: ${data.error}`),
  },
  { secret: () => process.env.WEBHOOK_SECRET ?? '', store: memoryStore() },
)
