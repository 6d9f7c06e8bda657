// What people read of a large history: lists, counts and searches. Each is a name and what it does with one side.
import { filters } from '../history/filters.mjs'

/**
 * @import { Services } from '@msgctl/server/services'
 * @import { Handler, Query } from '../history/filters.mjs'
 * @import { Numbers } from '../support/harness.mjs'
 */

/**
 * A service with a history of one organization, and chats of another.
 * @typedef {{ services: Services, messages: number, campaignId: string, chatOrganizationId: string }} History
 */

/** @typedef {Numbers & History} SideRows */

/** @typedef {SideRows & { cursor: string }} Side What is compared, with a cursor to the middle of its messages. */

/** @typedef {[what: string, read: (side: Side) => Promise<unknown>]} Read */

/** @typedef {[what: string, search: string, filter?: (side: Side) => Query]} Search */

const [{ listMessages }, { messageHandlers }, { chatHandlers }, { contactHandlers }, ofCampaigns] = await Promise.all([
  import('@msgctl/server/sending/messages/history/list'),
  import('@msgctl/server/sending/messages/history/routes'),
  import('@msgctl/server/conversations/chats/routes'),
  import('@msgctl/server/conversations/contacts/routes'),
  import('@msgctl/server/sending/campaigns/read'),
])
const stats = /** @type {Handler} */ (messageHandlers.stats)
const ofChats = /** @type {Record<'list' | 'thread' | 'unread', Handler>} */ (chatHandlers)
const searchContacts = /** @type {Handler} */ (contactHandlers.search)
const campaigns = /** @type {Record<'get' | 'list', Handler>} */ (ofCampaigns)

/**
 * @template {SideRows} S
 * @param {(side: S) => Query} query
 */
const list = (query) => (/** @type {S} */ side) =>
  listMessages(side.services, side.organizationId, { page: 1, limit: 50, ...query(side) })

/**
 * Lists and counts of messages.
 * @type {Read[]}
 */
export const messageReads = [
  ['GET /stats', ({ services, organizationId }) => stats({ caller: { organizationId } }, services)],
  ...[...filters, { recipient: '12000000001' }].map(
    (query) => /** @type {Read} */ ([`GET /messages ${JSON.stringify(query)}`, list(() => query)]),
  ),
  ['GET /messages of a number', list(({ ids: [containerId] }) => ({ containerId }))],
  ['GET /messages behind a cursor', list(({ cursor }) => ({ cursor }))],
  ['GET /messages {"status":"read"} behind a cursor', list(({ cursor }) => ({ cursor, status: 'read' }))],
]

/**
 * Lists that pass over rows of the hour in which they begin, or count more messages where there are more.
 * @type {Read[]}
 */
export const growingReads = [
  ['GET /messages of a campaign', list(({ campaignId }) => ({ campaignId }))],
  ['GET /messages, the page in the middle', list(({ messages }) => ({ page: messages / 100 }))],
  ['GET /messages, the last page', list(({ messages }) => ({ page: messages / 50 }))],
]

/**
 * @param {Search} search
 * @returns {Read}
 */
const searching = ([what, search, filter = () => ({})]) => [
  `search for ${what}`,
  list((side) => ({ search, ...filter(side) })),
]

/** @type {Search[]} */
const newestSearches = [
  ['two digits', '77'],
  ['an order that is not there', 'order 777x'],
  ['what every message holds', 'e'],
  ['a word of every fourth message', 'shopping'],
  ['two words that never meet', 'ready customer'],
  ['what nothing holds', 'no such thing'],
  ['punctuation', '!'],
  ['a word among read messages', 'invoice', () => ({ status: 'read' })],
]

/** Searches that read the newest messages, or find little by the index. */
export const searches = newestSearches.map(searching)

/** @type {Search[]} */
const longerSearches = [
  ['a phone number', '+1 (202) 555-0199'],
  ['four digits', '0199'],
  ['an order', 'order 777'],
  ['a word of one message in 300', 'coffee42'],
  ['two words of one message in 5,500', 'coffee42 table'],
  ['a word among failed messages', 'invoice', () => ({ status: 'failed' })],
  ['what nothing holds among failed messages', 'no such thing', () => ({ status: 'failed' })],
  ['a word among those of a number', 'invoice', ({ ids: [containerId] }) => ({ containerId })],
  ['one letter that nothing holds', 'ß'],
  ['two letters that nothing holds', 'qz'],
]

/**
 * Searches that read more where there is more: longer lists of the index, or a thousand matches where ten thousand
 * messages have few.
 */
export const growingSearches = longerSearches.map(searching)

/** @param {Side} side */
const callerOf = ({ chatOrganizationId }) => ({ organizationId: chatOrganizationId, containerId: null })
/** @type {(query: { show?: string, search?: string }) => Read[1]} */
const chats = (query) => (side) =>
  ofChats.list({ caller: callerOf(side), query: { limit: 50, show: 'all', ...query } }, side.services)
/** @type {(searched: () => string) => Read[1]} */
const contacts = (searched) => (side) =>
  searchContacts({ caller: callerOf(side), query: { page: 1, limit: 10, search: searched() } }, side.services)

/** Returns another name at each call: how long a short read takes depends on where its rows are. */
function nextName() {
  read += 1
  return `Person ${1000 + ((read * 37) % 9000)}`
}
let read = 0
const thread = { params: { phone: '14047654321' }, query: { limit: 50 } }

/**
 * Reads of conversations.
 * @type {Read[]}
 */
export const chatReads = [
  ['GET /chats', chats({})],
  ['GET /chats?show=unread', chats({ show: 'unread' })],
  ['GET /chats?show=to_answer', chats({ show: 'to_answer' })],
  ['GET /chats by a name', chats({ search: 'Person 4321' })],
  ['GET /chats by a name that everybody has', chats({ search: 'person' })],
  ['GET /chats by what nothing holds', chats({ search: 'no such person' })],
  ['a thread', (side) => ofChats.thread({ caller: callerOf(side), ...thread }, side.services)],
  ['GET /chats/unread', (side) => ofChats.unread({ caller: callerOf(side), query: { limit: 100 } }, side.services)],
  ['GET /contacts by a name', contacts(nextName)],
]

/** @type {(handler: Handler) => Read[1]} */
const campaign = (handler) => (side) =>
  handler(
    { caller: { organizationId: side.organizationId, containerId: null }, params: { id: side.campaignId } },
    side.services,
  )

/** @type {Read[]} */
export const campaignReads = [['GET /bulk/campaigns/:id', campaign(campaigns.get)]]

/**
 * Reads that find more contacts by the index where there are more, or join some thousand chats with them, for which the
 * planner reads small tables whole; and responses that hold or count everything.
 * @type {Read[]}
 */
export const growingOthers = [
  ['GET /chats by two digits', chats({ search: '77' })],
  ['GET /chats by a number', chats({ search: '+1 (404) 765-4321' })],
  ['GET /chats by four digits', chats({ search: '0777' })],
  ['GET /contacts by two digits', contacts(() => '77')],
  ['GET /bulk/campaigns', campaign(campaigns.list)],
]

/**
 * Returns a cursor to the middle of a history.
 * @param {SideRows} side
 */
export async function middleOf(side) {
  const { nextCursor } = await list(({ messages }) => ({ page: messages / 100 }))(side)
  return /** @type {string} */ (nextCursor)
}
