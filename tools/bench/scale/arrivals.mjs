// Messages of people in the form in which a driver reports them, for the benchmarks that receive.

/** @import { GatewayEvent } from '@msgctl/network/gateway' */

/**
 * Returns the event of message `n` to a number. Its sender is the `person`th of all, and unless that is given each
 * message has a sender of its own.
 * @param {{ organizationId: string, containerId: string, at: Date }} number
 * @param {{ n: number, person?: number, text?: string, senderName?: string }} message
 * @returns {GatewayEvent}
 */
export function receivedMessage({ organizationId, containerId, at }, { n, person = n, text, senderName = 'Person' }) {
  return {
    kind: 'message.in',
    organizationId,
    containerId,
    at,
    message: {
      networkId: `in-${n}`,
      from: { kind: 'phone', digits: String(14_050_000_000 + person) },
      senderName,
      type: 'chat',
      text: text ?? 'A question of ordinary length, as a customer would write it.',
      raw: null,
    },
  }
}
