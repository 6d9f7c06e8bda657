import { limits } from '@msgctl/contract'
import type { Json } from '@msgctl/network/session'
import * as z from 'zod'

const id = z.string().min(1).max(255)
const chatId = z.string().max(255)
/** As long as a report may be: a long text must not make the message unreadable, and is cut where it is stored. */
const text = z.string()
/** Seconds, or milliseconds where an engine counts so. */
const timestamp = z.number().min(0).max(1e14)
const coordinate = z.union([z.number(), z.string().max(40)]).transform(Number)

/** What both engines add to a message in their own forms: names, the other address of the person, kinds of content. */
const engineData = z
  .object({
    Info: z.looseObject({
      PushName: text.nullish(),
      SenderAlt: chatId.nullish(),
      MediaType: z.string().max(40).nullish(),
    }),
    Message: z.looseObject({}),
    key: z.looseObject({ remoteJidAlt: chatId.nullish(), participantAlt: chatId.nullish() }),
    pushName: text.nullish(),
    message: z.looseObject({}),
  })
  .partial()

const media = z.object({
  url: z.string().max(2048).nullish(),
  mimetype: z.string().max(255).nullish(),
  filename: z.string().max(255).nullish(),
})

const message = z.object({
  id,
  timestamp: timestamp.nullish(),
  from: chatId,
  to: chatId.nullish(),
  participant: chatId.nullish(),
  fromMe: z.boolean(),
  source: z.string().max(40).nullish(),
  body: text.nullish(),
  hasMedia: z.boolean().nullish(),
  media: media.nullish().catch(null),
  location: z.object({ latitude: coordinate, longitude: coordinate }).nullish().catch(null),
  _data: engineData.nullish().catch(null),
})
export type WahaMessage = z.infer<typeof message>

/** JSON that is not nested too deeply to be read level by level. A challenge of a passkey has few levels. */
export const shallowJson = z.custom<Json>((value) => isShallow(value, limits.bodyDepth))

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1))
}

const statusPoint = z.object({ status: z.string().max(60), timestamp })

/** The content of each event that we subscribe to. Fields that are not named here are dropped. */
export const payloads = {
  'session.status': z.object({
    status: z.string().min(1).max(60),
    statuses: z.array(statusPoint).max(20).nullish().catch(null),
    data: shallowJson.nullish().catch(null),
  }),
  message,
  'message.any': message,
  'message.ack': z.object({
    id,
    fromMe: z.boolean(),
    ack: z.number().int().min(-1).max(10),
    timestamp: timestamp.nullish(),
  }),
  'message.edited': z.object({ editedMessageId: id, body: text.nullish(), fromMe: z.boolean().nullish() }),
  'message.revoked': z.object({ revokedMessageId: id }),
  'poll.vote': z.object({
    poll: z.object({ id }),
    vote: z.object({
      id,
      from: chatId,
      fromMe: z.boolean().nullish(),
      selectedOptions: z.array(text).max(50).nullish(),
      timestamp: timestamp.nullish(),
    }),
  }),
} as const

/** The events that a session reports to us. */
export const subscribedEvents = Object.keys(payloads) as (keyof typeof payloads)[]

const seconds = z.number().min(0).max(1e11).nullish()

/** Whether the network lets an account begin conversations; `timeEnforcementEnds` is in seconds. */
export const reachoutTimelock = z.object({ isActive: z.boolean(), timeEnforcementEnds: seconds })
export type ReachoutTimelock = z.infer<typeof reachoutTimelock>

const quota = z.number().int().min(-1).max(1e9)

/** How many conversations an account may begin in a cycle, of which `cycleEnd` is in seconds. */
export const messageCapping = z.object({
  cappingStatus: z.string().max(60),
  totalQuota: quota,
  usedQuota: quota,
  cycleEnd: seconds,
})
export type MessageCapping = z.infer<typeof messageCapping>

/**
 * The account of a session; engines send `{}` or null while there is none. Servers of before August 2026 leave the
 * limits out, later ones have null for limits that the network never set.
 */
export const account = z
  .object({
    id: chatId,
    pushName: z.string().max(255).nullish(),
    reachoutTimelock: reachoutTimelock.nullish().catch(undefined),
    messageCapping: messageCapping.nullish().catch(undefined),
  })
  .nullish()
  .transform((found) => found ?? null)
  .catch(null)
export type Account = NonNullable<z.infer<typeof account>>

/** What every webhook has in common. `metadata` is what we gave the session: it says whose number it is. */
export const envelope = z.object({
  id: id,
  timestamp,
  event: z.string().max(60),
  session: id,
  metadata: z.object({ containerId: z.uuid(), organizationId: z.uuid() }),
  me: account,
  payload: z.unknown(),
})
export type Envelope = z.infer<typeof envelope>
