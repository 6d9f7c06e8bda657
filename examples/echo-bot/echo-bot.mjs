// Replies to each inbound message with its own text. Key and address come from MSG_API_KEY and MSG_BASE_URL.
import { isMessagingError, MessagingClient } from '@msgctl/client'

const client = new MessagingClient()
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

/** Replies once per event: the idempotency key contains its id, so a repeated event sends no second reply. */
async function reply({ id, data }) {
  const send = { phone: data.sender, message: `You wrote: ${data.body}`, containerId: data.containerId }
  const { messageId } = await client.alert.send(send, { idempotencyKey: `echo-${id}` })
  console.log(`answered ${data.sender} (${messageId})`)
}

try {
  // Continues after the event in AFTER; without it, the bot starts with new messages.
  const events = client.events.stream(
    { types: ['message.inbound'], after: process.env.AFTER },
    { signal: stop.signal, onReconnect: ({ error }) => console.error(`again: ${error.message}`) },
  )
  console.log('listening')
  for await (const event of events) {
    if (event.event === 'message.inbound' && !event.data.isGroup) await reply(event)
  }
} catch (error) {
  if (!isMessagingError(error, 'ABORTED')) throw error
}
