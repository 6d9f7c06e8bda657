// Sends one text and waits until it is read. Key and address come from MSG_API_KEY and MSG_BASE_URL.
import { setTimeout as pause } from 'node:timers/promises'
import { isMessagingError, MessagingClient } from '@msgctl/client'

const client = new MessagingClient()
const [phone = '+12025550100', text = 'Hello from an application'] = process.argv.slice(2)

try {
  const { messageId } = await client.alert.send({ phone, message: text })
  for (;;) {
    const { message } = await client.messages.get({ id: messageId })
    if (message.status === 'read' || message.status === 'failed') {
      console.log(`${message.recipient}: ${message.status}`)
      break
    }
    await pause(500)
  }
} catch (error) {
  if (!isMessagingError(error, 'NUMBER_NOT_ON_NETWORK')) throw error
  console.log(`${phone} is not on the network`)
}
