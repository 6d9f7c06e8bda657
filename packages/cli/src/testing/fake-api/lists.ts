import { randomUUID } from 'node:crypto'
import { type Routes, refusal } from './server.ts'

const offNetwork = '12025550101'
const silent = '12025550102'

/**
 * The routes that take lists of phones, as digits: 0101 is off the network, 0102 is never answered about. Sends go
 * through `containerId`.
 */
export function listRoutes(containerId: string): Routes {
  return {
    'POST /recipients/validate': ({ body }) => {
      const phones: string[] = body.phones
      const validNumbers = phones
        .filter((phone) => phone !== offNetwork)
        .map((phone) => ({ phone, chatId: phone === silent ? '' : `${phone}@c.us` }))
      const invalidNumbers = phones
        .filter((phone) => phone === offNetwork)
        .map((phone) => ({ phone, reason: 'This number is not on the network.', code: 'not_on_network' }))
      const counts = { total: phones.length, valid: validNumbers.length, invalid: invalidNumbers.length }
      return { body: { success: true, ...counts, validNumbers, invalidNumbers } }
    },
    'POST /alert/batch': ({ body }) => {
      const recipients: string[] = body.recipients
      const invalidNumbers = recipients.filter((phone) => phone === offNetwork)
      if (recipients.includes(silent)) return refusal(503, 'NUMBER_VALIDATION_UNAVAILABLE', 'Nobody can be asked.')
      if (invalidNumbers.length > 0 && !body.skipInvalidNumbers)
        return refusal(400, 'NUMBER_NOT_ON_NETWORK', 'One is not on the network.', { invalidNumbers })
      const messages = recipients
        .filter((phone) => phone !== offNetwork)
        .map((phone) => ({ phone, messageId: randomUUID(), containerId }))
      const counts = { count: messages.length, skipped: invalidNumbers.length }
      return { status: 201, body: { success: true, ...counts, messages, invalidNumbers } }
    },
  }
}
