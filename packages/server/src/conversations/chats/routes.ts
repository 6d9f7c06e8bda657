import type { Contract } from '@msgctl/contract'
import type { Caller, Handlers } from '#api/http/handler.ts'
import { findPerson } from '#conversations/contacts/store.ts'
import { displayName, toSearchParts } from '#conversations/contacts/view.ts'
import { toNetworkAddress } from '#networks/gateway/address.ts'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { listCandidates } from '#numbers/send-group/candidate-store.ts'
import { numberNotFound, selectAny } from '#numbers/send-group/select-number.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { downloadAttachment } from './attachment.ts'
import {
  type ChatPage,
  type ChatPlace,
  type ChatRow,
  listChats,
  type NumberScope,
  type NumbersScope,
  readThread,
  searchAll,
  searchNewest,
} from './list-store.ts'
import { rollUpNumber } from './roll-up.ts'
import { listUnread, type Marked, type MarkScope, markContactRead, markIdsRead } from './unread-store.ts'
import { addressKey, findNewestUnsent, listUnsent, toChatAddress } from './unsent-store.ts'
import { chatView, threadView, unsentView } from './view.ts'

const seenTimeoutMs = 10_000

/**
 * Marks messages read, and shows their authors read ticks where their number is connected. Returns how many were
 * unread. The network is called after the commit; its failure changes nothing, because the messages are read here.
 */
async function markRead(services: Services, mark: (trx: Db) => Promise<readonly Marked[]>): Promise<number> {
  const marked = await transaction(services.db, mark)
  for (const chat of marked) void showSeen(services, chat)
  return marked.reduce((sum, { messages }) => sum + messages, 0)
}

async function showSeen({ gateway, log }: Services, { session, address, networkIds }: Marked): Promise<void> {
  if (address === null || session === null || networkIds.length === 0) return
  try {
    const call = gateway.seen(session, toNetworkAddress(address), [...networkIds].reverse())
    await withGatewayTimeout(seenTimeoutMs, call)
  } catch (error) {
    const { containerId } = session
    log.info({ event: 'read_ticks_failed', err: error, containerId }, 'failed to show read ticks')
  }
}

/** So many of the newest chats are searched first: they say how often the text occurs. */
const newestFirst = 300
/**
 * Matches that are expected among this many of the newest chats are searched there; rarer ones by the index of
 * contacts.
 */
const mostAmong = 10_000
/** The chats that are searched, against those that are expected to be necessary. */
const reserve = 2

/** Returns the chats of numbers whose contact has a name or number that contains `typed`, newest first. */
async function searchChats(db: Db, scope: NumbersScope, typed: string, page: ChatPage): Promise<ChatRow[]> {
  if (typed.trim() === '') return listChats(db, scope, page)
  const search = { ...toSearchParts(typed), ...page }
  const newest = await searchNewest(db, scope, { ...search, among: newestFirst })
  if (newest.length === page.limit) return newest
  const among = Math.ceil(((page.limit * newestFirst) / newest.length) * reserve)
  const more = among <= mostAmong ? await searchNewest(db, scope, { ...search, among }) : newest
  return more.length === page.limit ? more : searchAll(db, scope, search)
}

const cursorForm = /^(\d{1,16}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Returns the opaque cursor of the page after a chat. */
function writeCursor({ lastMicros, contactId }: ChatRow): string {
  return Buffer.from(`${lastMicros} ${contactId}`).toString('base64url')
}

/** Reads a cursor of the list of chats. Throws VALIDATION_ERROR for any other text. */
function readCursor(cursor: string): ChatPlace {
  const [, micros, contactId] = cursorForm.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (micros === undefined || contactId === undefined || !Number.isSafeInteger(Number(micros))) {
    throw invalidField('cursor', 'must be a nextCursor of this list')
  }
  return { lastMicros: Number(micros), contactId }
}

export const chatHandlers = {
  async list({ caller, query }, { db }) {
    const scope = await findScopes(db, caller, query.containerId)
    const place = query.cursor === undefined ? null : readCursor(query.cursor)
    if (!scope) return { chats: [], nextCursor: null }
    for (const containerId of scope.containerIds) await rollUpNumber(db, containerId)
    // One more than requested, to know whether there is a next page.
    const page = { show: query.show, place, limit: query.limit + 1 }
    const found = await searchChats(db, scope, query.search ?? '', page)
    const chats = found.slice(0, query.limit)
    const last = chats.at(-1)
    const unsent = await findNewestUnsent(db, caller.organizationId, chats.map(toChatAddress))
    return {
      chats: chats.map((chat) => chatView(chat, unsent.get(addressKey(toChatAddress(chat))))),
      nextCursor: found.length > chats.length && last ? writeCursor(last) : null,
    }
  },
  async unread({ caller, query }, { db }) {
    const scope = await findScopes(db, caller, query.containerId)
    const found = scope ? await listUnread(db, scope, query.limit) : []
    return {
      messages: found.map(({ id, containerId, phone, lid, text, type, file, at, ...names }) => ({
        id,
        containerId,
        phone: phone ?? lid ?? '',
        name: displayName(names),
        text,
        type,
        at: at.toISOString(),
        ...(file === null ? {} : { attachment: file }),
      })),
    }
  },
  async ack({ caller, body }, services) {
    return { marked: await markRead(services, (trx) => markIdsRead(trx, toMarkScope(caller), body.ids)) }
  },
  attachment: downloadAttachment,

  async thread({ caller, params, query }, { db }) {
    const scope = await findScope(db, caller, query.containerId)
    if (scope) await rollUpNumber(db, scope.containerId)
    const before = query.before ?? null
    const person = await findPerson(db, caller.organizationId, params.phone)
    // An unknown contact and a known one without messages both have an empty thread.
    const messages = scope && person ? await readThread(db, scope, person.id, { limit: query.limit, before }) : []
    const addresses = person ? [person.phone, person.lid].flatMap((address) => address ?? []) : [params.phone]
    const unsent = scope && before === null ? await listUnsent(db, scope, addresses, query.limit) : []
    const known = person && (caller.containerId === null || messages.length > 0) ? person : undefined
    return {
      phone: known?.phone ?? known?.lid ?? params.phone,
      name: known ? displayName(known) : null,
      messages: messages.map(threadView),
      ...(unsent.length > 0 && { unsent: unsent.map(unsentView) }),
    }
  },
  async read({ caller, params }, services) {
    const person = await findPerson(services.db, caller.organizationId, params.phone)
    if (!person) return { marked: 0 }
    return { marked: await markRead(services, (trx) => markContactRead(trx, toMarkScope(caller), person.id)) }
  },
} satisfies Handlers<Contract['chats']>

/**
 * Returns the number whose chats the caller reads; null if the organization has none. Throws NOT_FOUND for a
 * containerId that is not the organization's.
 */
async function findScope(
  db: Services['db'],
  { organizationId, containerId: ownContainerId }: Caller,
  containerId: string | undefined,
): Promise<NumberScope | null> {
  const selector = { ownContainerId, containerId: containerId ?? null }
  const candidates = await listCandidates(db, organizationId, ownContainerId ?? selector.containerId)
  const selection = selectAny(candidates, selector)
  if (selection.is === 'unknown') throw numberNotFound()
  return selection.is === 'chosen' ? { organizationId, containerId: selection.number.id } : null
}

/** Like {@link findScope}; `all` stands for every number of the organization, or for the only one of a number's key. */
async function findScopes(
  db: Services['db'],
  caller: Caller,
  containerId: string | undefined,
): Promise<NumbersScope | null> {
  const { organizationId } = caller
  if (containerId === 'all' && caller.containerId === null) {
    const candidates = await listCandidates(db, organizationId, null)
    return candidates.length > 0 ? { organizationId, containerIds: candidates.map(({ id }) => id) } : null
  }
  const scope = await findScope(db, caller, containerId === 'all' ? undefined : containerId)
  return scope ? { organizationId, containerIds: [scope.containerId] } : null
}

function toMarkScope({ organizationId, containerId }: Caller): MarkScope {
  return { organizationId, containerId }
}
