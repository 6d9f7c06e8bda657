import { proto, writeRandomPadMax16 } from 'baileys'
import { expect } from 'vitest'
import { type ArrivalContext, arrivalEvents } from '../src/translate/arrival.ts'
import type { NetworkEvent } from '../src/translate/network-event.ts'
import type { Attributes } from '../src/translate/person.ts'

/** The time of every stanza of these tests, as stanzas and as events have it. */
export const t = '1790000000'
export const at = new Date(Number(t) * 1000).toISOString()

/** The stanza of a message of a person, and the one of a message of the phone of the number itself. */
export const attrs = { id: 'ID', from: '999@lid', sender_pn: '12025550100@s.whatsapp.net', t, notify: 'Ada' }
export const peer = { id: 'PEER', from: '15550000001@s.whatsapp.net', t, category: 'peer' }

/** The person of {@link attrs}, as events name them. */
export const person = { from: { kind: 'phone', digits: '12025550100' }, lid: '999@lid', senderName: 'Ada' }

/** The account of the number. */
export const me = ['15550000001:2@s.whatsapp.net', '777:2@lid']

/** Returns the context of a number that knows nothing beside this. */
export function contextWith(known: Partial<ArrivalContext> = {}): ArrivalContext {
  const nothing = {
    findSent: async () => null,
    findSecret: async () => null,
    keepSecret: async () => undefined,
    keepStateKeys: async () => undefined,
    noteTimer: async () => undefined,
  }
  return { me, ...nothing, findWithheld: () => undefined, findOther: async () => null, ...known }
}

/** Returns the protobuf of a message. */
export function encode(message: object): Uint8Array {
  return proto.Message.encode(proto.Message.fromObject(message)).finish()
}

/** Translates the bytes of a message. */
export function bytesArrive(
  bytes: Uint8Array,
  stanza: Attributes = attrs,
  context = contextWith(),
): Promise<NetworkEvent[]> {
  return arrivalEvents({ attrs: stanza, plain: writeRandomPadMax16(bytes) }, context)
}

/** Translates a message. */
export function arrive(message: object, stanza: Attributes = attrs, context = contextWith()): Promise<NetworkEvent[]> {
  return bytesArrive(encode(message), stanza, context)
}

/** Returns the only message of these events. */
export function onlyMessage(events: readonly NetworkEvent[]) {
  const messages = events.flatMap((event) => (event.kind === 'message.in' ? [event.message] : []))
  expect(messages).toHaveLength(1)
  return messages[0]
}
