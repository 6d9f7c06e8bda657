import { Readable } from 'node:stream'
import { GatewayError } from '@msgctl/network/errors'
import type { CheckResult, Driver, GatewayContact } from '@msgctl/network/gateway'
import type { GatewaySession, MessageRef } from '@msgctl/network/session'
import * as z from 'zod'
import { parseChatId, toBareId, toChatId, toMessageId } from './address.ts'
import { toBase64 } from './body.ts'
import { toMessageKind } from './content-type.ts'
import type { WahaContext } from './context.ts'
import { payloads } from './envelope.ts'
import type { Host } from './hosts.ts'
import type { CallWorking } from './working.ts'

/** Everything that reads people, chats and the profile. */
export type ReadCalls = Pick<
  Driver,
  'check' | 'checkBatch' | 'contacts' | 'lids' | 'chats' | 'messages' | 'profile' | 'setProfile' | 'fetchMedia'
>

const id = z.string().max(255)
const name = z.string().max(1000).nullish()
const numberExists = z.object({ numberExists: z.boolean(), chatId: id.nullish(), pn: id.nullish() })
const contact = z.object({ id, name, pushname: name, isMyContact: z.boolean().nullish() })
const lidPair = z.object({ lid: id, pn: id.nullish() })
const chat = z.object({ id, name, lastMessage: z.object({ timestamp: z.number() }).nullish() })
const profile = z.object({ id, name: z.string().nullish(), picture: z.string().max(4096).nullish() })

const listLimit = 10_000
/** WAHA checks one number in a call; a few at once keep a list quick. */
const checkBatch = 5
const fileRaw = z.object({
  url: z.string().nullish(),
  mimetype: z.string().nullish(),
  /** Left out in what older versions of the service stored. */
  id: id.nullish(),
  chat: id.nullish(),
})
/** The server downloads a file from the network before it responds. */
const downloadTimeoutMs = 20_000
/** Where WAHA keeps the files of received messages. */
const filesPath = '/api/files/'

/** Creates the calls that read. Entries of a list that cannot be read are left out. */
export function readCalls(ctx: WahaContext, call: CallWorking): ReadCalls {
  async function get(session: GatewaySession, path: string, signal?: AbortSignal): Promise<unknown> {
    return (await call(session, { method: 'GET', path, signal })).body
  }

  async function checkOne(session: GatewaySession, digits: string, signal?: AbortSignal): Promise<CheckResult> {
    const query = new URLSearchParams({ phone: digits, session: session.containerId })
    const found = read(numberExists, await get(session, `/api/contacts/check-exists?${query}`, signal))
    const address = parseChatId(found.pn ?? found.chatId ?? '')
    if (!found.numberExists || !address) return { exists: false }
    const other = parseChatId(found.chatId ?? '')
    return { exists: true, address, ...(other?.kind === 'lid' ? { lid: other.id } : {}) }
  }

  async function readProfile(session: GatewaySession) {
    const found = read(profile, await get(session, `/api/${session.containerId}/profile`))
    const query = new URLSearchParams({ contactId: found.id, session: session.containerId })
    const about = await get(session, `/api/contacts/about?${query}`).catch(ifUnsupported(null))
    const parsed = z.object({ about: z.string().max(4096) }).safeParse(about)
    const text = parsed.success ? parsed.data.about : ''
    return { id: found.id, name: found.name ?? '', about: text, pictureUrl: found.picture ?? null }
  }

  return {
    async check(session, digits, signal) {
      const results = await Promise.allSettled(digits.map((one) => checkOne(session, one, signal)))
      const failed = results.find((result) => result.status === 'rejected')
      // A number that is missing could not be checked; when none could, the caller learns why.
      if (failed && results.every(({ status }) => status === 'rejected')) throw failed.reason
      return new Map(
        results.flatMap((result, n) =>
          result.status === 'fulfilled' ? [[digits[n] ?? '', result.value] as const] : [],
        ),
      )
    },
    checkBatch: () => checkBatch,
    async contacts(session) {
      const query = new URLSearchParams({ session: session.containerId, limit: String(listLimit) })
      const found = readAll(contact, await get(session, `/api/contacts/all?${query}`))
      return found.flatMap((one): GatewayContact[] => {
        const address = parseChatId(one.id)
        const shown = one.name || one.pushname
        return address && shown ? [{ address, name: shown, saved: one.isMyContact ?? Boolean(one.name) }] : []
      })
    },
    async lids(session) {
      const found = readAll(lidPair, await get(session, `/api/${session.containerId}/lids?limit=${listLimit}`))
      return found.flatMap(({ lid, pn }) => {
        const [hidden, phone] = [parseChatId(lid), parseChatId(pn ?? '')]
        return hidden?.kind === 'lid' && phone?.kind === 'phone' ? [{ lid: hidden.id, digits: phone.digits }] : []
      })
    },
    async chats(session, limit) {
      const found = readAll(chat, await get(session, `/api/${session.containerId}/chats/overview?limit=${limit}`))
      return found.flatMap(({ id, name, lastMessage }) => {
        const address = parseChatId(id)
        return address && lastMessage
          ? [{ address, name: name ?? '', lastAt: new Date(lastMessage.timestamp * 1000) }]
          : []
      })
    },
    async messages(session, of, limit) {
      const path = `/api/${session.containerId}/chats/${encodeURIComponent(toChatId(of))}/messages`
      const found = readAll(payloads.message, await get(session, `${path}?limit=${limit}&downloadMedia=false`))
      const messages = found.map((message) => {
        const { type } = toMessageKind(message)
        return {
          networkId: toBareId(message.id),
          chat: of,
          direction: message.fromMe ? ('out' as const) : ('in' as const),
          ...(type === 'chat' ? {} : { type }),
          text: message.body ?? '',
          at: new Date((message.timestamp ?? 0) * 1000),
        }
      })
      // WAHA lists the newest first.
      return messages.reverse()
    },
    profile: readProfile,
    async setProfile(session, { name, about, picture }) {
      const put = (what: string, body: object) =>
        call(session, { method: 'PUT', path: `/api/${session.containerId}/profile/${what}`, body })
      if (name !== undefined) await put('name', { name })
      if (about !== undefined) await put('status', { status: about })
      if (picture) await put('picture', { file: { mimetype: picture.mimetype, data: await toBase64(picture) } })
      return readProfile(session)
    },
    async fetchMedia(session, message) {
      const { data: raw } = fileRaw.safeParse(message.raw)
      const host = raw && (await ctx.hosts.find(session))
      if (!host) return null
      const kept = await openFile(host, raw.url)
      if (kept) return toMedia(kept, raw.mimetype)
      // The server deletes files after a time; the network may still have this one.
      const { media } = (await readAgain(session, message, raw)) ?? {}
      const file = media && (await openFile(host, media.url))
      return file ? toMedia(file, media.mimetype) : null
    },
  }

  async function openFile(host: Host, url: string | null | undefined) {
    const path = url ? pathOf(url) : null
    return path === null ? null : ctx.client.file(host, path)
  }

  /** Reads a message, for which the server downloads its file. Null when the server no longer has the message. */
  async function readAgain(session: GatewaySession, message: MessageRef, raw: z.infer<typeof fileRaw>) {
    const chat = encodeURIComponent(raw.chat ?? toChatId(message.chat))
    const name = encodeURIComponent(raw.id ?? toMessageId(message.chat, message.networkId, false))
    const path = `/api/${session.containerId}/chats/${chat}/messages/${name}?downloadMedia=true`
    const response = await call(session, { method: 'GET', path, timeoutMs: downloadTimeoutMs }).catch(
      ifUnsupported({ body: null }),
    )
    return payloads.message.safeParse(response.body).data
  }
}

function toMedia(file: { readonly body: Readable; readonly mimetype: string }, mimetype: string | null | undefined) {
  return { bytes: Readable.from(file.body), mimetype: (mimetype ?? file.mimetype).slice(0, 255) }
}

/** Only the path is used: a file always comes from the host of the number, whatever address WAHA believes it has. */
function pathOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { pathname } = new URL(url)
  return pathname.startsWith(filesPath) ? pathname : null
}

function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new GatewayError('unreachable', 'The host of the number sent a response that cannot be read.')
}

function readAll<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema>[] {
  if (!Array.isArray(body)) return []
  return body.flatMap((entry) => {
    const parsed = schema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })
}

/** For what one engine has and another has not. */
function ifUnsupported<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof GatewayError && (error.kind === 'unsupported' || error.kind === 'rejected')) return instead
    throw error
  }
}
