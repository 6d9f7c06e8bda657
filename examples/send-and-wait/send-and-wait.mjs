// Sends one text and waits until it is read. Key and address come from MSG_API_KEY and MSG_BASE_URL.
import { isMessagingError, MessagingClient } from '@msgctl/client'

const client = new MessagingClient()
const [phone = '+12025550100', message = 'Hello from an application'] = process.argv.slice(2)

try {
  const { messageId } = await client.alert.send({ phone, message })
  for await (const event of client.events.stream({ types: ['message.read', 'message.failed'] })) {
    if (!('messageId' in event.data) || event.data.messageId !== messageId) continue
    console.log(event.event)
    break
  }
} catch (error) {
  if (!isMessagingError(error, 'NUMBER_NOT_ON_NETWORK')) throw error
  console.log(`${phone} is not on the network`)
}
