// Notifies a customer about an order exactly once, however often this program runs for it.
// Key and address come from MSG_API_KEY and MSG_BASE_URL.
import { setTimeout as pause } from 'node:timers/promises'
import { isMessagingError, MessagingClient } from '@msgctl/client'

const [order = 'A-1042', phone = '+12025550100'] = process.argv.slice(2)
const client = new MessagingClient()
const message = `Your order ${order} is on its way.`

/** With your own idempotency key, a send can be repeated within a day, also by another process. */
const send = () => client.alert.send({ phone, message }, { idempotencyKey: `order-shipped-${order}` })

for (let triesLeft = 5; ; triesLeft -= 1) {
  try {
    const { messageId } = await send()
    console.log(`order ${order}: ${messageId}`)
    break
  } catch (error) {
    // The client has given up, but the message may have been sent.
    const worthAnother = isMessagingError(error) && error.outcome === 'unknown' && triesLeft > 0
    if (!worthAnother) throw error
    await pause(error.retryAfterMs ?? 2_000)
  }
}
