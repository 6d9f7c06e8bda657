import type { GatewayEvent, InboundMessage } from '@msgctl/network/gateway'

type EventOf<Kind extends GatewayEvent['kind']> = Extract<GatewayEvent, { kind: Kind }>

interface Number {
  readonly organizationId: string
  readonly containerId: string
}

/** When messages of these tests were written, unless one says otherwise. */
export const writtenAt = new Date('2026-01-01T09:00:00.000Z')

/** A text from a person to a number, as the network reports it; each has an id of its own. */
export function arrival(
  number: Number,
  message: Partial<InboundMessage> = {},
  at: Date = writtenAt,
): EventOf<'message.in'> {
  return {
    kind: 'message.in',
    ...number,
    at,
    message: {
      networkId: `in-${crypto.randomUUID()}`,
      from: { kind: 'phone', digits: '12025550100' },
      senderName: 'Jane',
      type: 'chat',
      text: 'hello',
      raw: null,
      ...message,
    },
  }
}

/** What the owner of a number wrote on the phone. */
export function typed(number: Number, digits: string, text: string, networkId = `out-${crypto.randomUUID()}`) {
  const to = { kind: 'phone', digits } as const
  return { kind: 'message.out', ...number, at: writtenAt, networkId, to, text } satisfies EventOf<'message.out'>
}

/** So many seconds after {@link writtenAt}. */
export function later(seconds: number): Date {
  return new Date(writtenAt.getTime() + seconds * 1000)
}
