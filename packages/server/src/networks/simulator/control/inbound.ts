import { normalizePhone } from '@msgctl/contract'
import type { InboundMessage, NetAddress } from '@msgctl/network/gateway'
import * as z from 'zod'
import type { SimContext } from '#networks/simulator/context.ts'
import type { Payload } from '#networks/simulator/events/event.ts'
import { addEvents } from '#networks/simulator/events/store.ts'
import { photo, photoBytes, voiceBytes, voiceNote } from '#networks/simulator/messages/answers.ts'
import { networkId } from '#networks/simulator/messages/network-id.ts'
import { inbound } from '#networks/simulator/messages/to-write.ts'
import { addressText, personAt, toPersonAddress } from '#networks/simulator/people/people.ts'
import { readSession } from '#networks/simulator/sessions/store.ts'
import { transaction } from '#platform/db/db.ts'
import { requireNumber, wrongStatus } from './control.ts'
import { addMessage } from './store.ts'

const types = ['chat', 'location', 'voice', 'image', 'video', 'file', 'sticker', 'buttons', 'list'] as const
const shortText = z.string().max(255)

function phoneField(lid: boolean) {
  return z
    .string()
    .max(64)
    .transform((text, context) => {
      const phone = normalizePhone(text, { lid })
      if (phone !== null) return phone
      const message = `must be an international number like +12025550130${lid ? ', or an id ending in @lid' : ''}`
      context.addIssue({ code: 'custom', message, params: { code: 'invalid_phone' } })
      return z.NEVER
    })
}

/** A number as people type it; parsed, it is digits. */
export const number = phoneField(false)

/** A number as people type it, or a hidden id with `@lid`. */
export const address = phoneField(true)

/** A message that a person writes to a number; with `fromMe` the owner of the number writes it on the phone. */
export const inboundBody = z
  .object({
    containerId: z.uuid().toLowerCase(),
    from: address,
    text: z.string().max(4096).default(''),
    type: z.enum(types).default('chat'),
    caption: z.string().max(1024).optional(),
    latitude: z.number().min(-90).max(90).optional(),
    longitude: z.number().min(-180).max(180).optional(),
    selectedButtonId: shortText.optional(),
    selectedRowId: shortText.optional(),
    groupId: shortText.optional(),
    fromMe: z.boolean().default(false),
  })
  .refine(
    ({ type, latitude, longitude }) => type !== 'location' || (latitude !== undefined && longitude !== undefined),
    {
      message: 'needs latitude and longitude',
      path: ['type'],
    },
  )
  .refine(({ type, text }) => type !== 'chat' || text !== '', { message: 'is needed with type chat', path: ['text'] })
export type InboundBody = z.infer<typeof inboundBody>

/** Lets a person write to a number. While its link is down the message waits. */
export async function writeInbound(ctx: SimContext, body: InboundBody): Promise<{ networkId: string }> {
  const session = await requireNumber(ctx, body.containerId)
  const row = await readSession(ctx.db, session)
  if (!row?.link.phone)
    return wrongStatus(row?.link ?? { status: 'STOPPED' }, 'A number without a phone receives no messages')
  const id = networkId('inbound', crypto.randomUUID())
  const payload = body.fromMe ? ownMessage(body, id) : message(body, id, row.contactsSyncedAt !== null)
  await transaction(ctx.db, async (trx) => {
    for (const kept of inbound(session, payload, 0)) await addMessage(trx, kept)
    await addEvents(trx, [{ ...session, afterMs: 0, payload }])
  })
  return { networkId: id }
}

function ownMessage(body: InboundBody, id: string): Payload {
  return { kind: 'message.out', networkId: id, to: addressFrom(body.from), text: body.text }
}

function message(body: InboundBody, id: string, contactsSynced: boolean): Payload {
  const { latitude, longitude, selectedButtonId, selectedRowId, groupId } = body
  const written = addressFrom(body.from)
  const person = personAt(written)
  const from = person && written.kind === 'phone' ? toPersonAddress(person, contactsSynced) : written
  return {
    kind: 'message.in',
    message: {
      networkId: id,
      from,
      senderName: person?.name ?? `Sim ${addressText(from).slice(0, 4)}`,
      type: body.type,
      text: body.caption ?? body.text,
      ...(latitude === undefined || longitude === undefined ? {} : { latitude, longitude }),
      ...(selectedButtonId === undefined ? {} : { selectedButtonId }),
      ...(selectedRowId === undefined ? {} : { selectedRowId }),
      ...(groupId === undefined ? {} : { groupId }),
      ...mediaOf(body.type),
      raw: null,
    },
  }
}

function mediaOf(type: InboundMessage['type']): Pick<InboundMessage, 'media'> {
  if (type === 'voice') return { media: { ...voiceNote, sizeBytes: voiceBytes.length } }
  const picture = type === 'image' || type === 'video' || type === 'file' || type === 'sticker'
  return picture ? { media: { ...photo, sizeBytes: photoBytes.length } } : {}
}

function addressFrom(phone: string): NetAddress {
  return phone.endsWith('@lid') ? { kind: 'lid', id: phone } : { kind: 'phone', digits: phone }
}
