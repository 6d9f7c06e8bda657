// Answers everybody who writes with their own words. Key and address come from MSG_API_KEY and MSG_BASE_URL.
import { isMessagingError, MessagingClient } from '@msgctl/client'

const client = new MessagingClient()
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

/** A key made of the event's id: an event that comes twice, or after a restart, is answered once. */
async function answer({ id, data }) {
  const send = { phone: data.sender, message: `You wrote: ${data.body}`, containerId: data.containerId }
  const { messageId } = await client.alert.send(send, { idempotencyKey: `echo-${id}` })
  console.log(`answered ${data.sender} (${messageId})`)
}

try {
  // Where an earlier run ended; without it the bot begins with what comes next.
  const events = client.events.stream(
    { types: ['message.inbound'], after: process.env.AFTER },
    { signal: stop.signal, onReconnect: ({ error }) => console.error(`again: ${error.message}`) },
  )
  console.log('listening')
  for await (const event of events) {
    if (event.event === 'message.inbound' && !event.data.isGroup) await answer(event)
  }
} catch (error) {
  if (!isMessagingError(error, 'ABORTED')) throw error
}
