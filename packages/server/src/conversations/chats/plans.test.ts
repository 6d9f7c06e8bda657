import { beforeAll, describe, expect, it } from 'vitest'
import { searchContacts } from '#conversations/contacts/store.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { testDatabase } from '#testing/database.ts'
import { queryPlan } from '#testing/query-plan.ts'
import { storeMessages } from '#testing/stored-messages.ts'
import { listChats, readThread, searchAll } from './list-store.ts'
import { listUnread, markContactRead, markIdsRead } from './unread-store.ts'

const { db } = await testDatabase()
const scope = { organizationId: newId(), containerId: newId() }
const numbers = { organizationId: scope.organizationId, containerIds: [scope.containerId] }
const neighbour = { organizationId: newId(), containerId: newId() }
const contactId = newId()

beforeAll(async () => {
  for (const number of [scope, neighbour]) {
    await rows(
      db,
      `insert into contacts (id, organization_id, phone, network_name, known_to, created_at)
       select gen_random_uuid(), :organizationId, (14040000000 + n)::text, 'Person ' || n, array[:containerId::uuid],
              service_now()
         from generate_series(1, 8000) n`,
      number,
    )
    await rows(
      db,
      `insert into chats (container_id, contact_id, organization_id, last_at)
       select :containerId, id, organization_id, service_now() from contacts where organization_id = :organizationId`,
      number,
    )
    await rows(
      db,
      `insert into chat_messages (id, organization_id, container_id, contact_id, direction, network_id, at, type, text,
         unread)
       select gen_random_uuid(), organization_id, :containerId, id, 'in', id::text, service_now(), 'chat', 'a text',
              phone like '%1'
         from contacts where organization_id = :organizationId`,
      number,
    )
  }
  await rows(
    db,
    `with others as (
       insert into organizations (id, name, trial_ends_at, created_at)
       select gen_random_uuid(), 'Other', service_now(), service_now() from generate_series(1, 2000) returning id
     )
     insert into numbers (id, organization_id, label, instance_name, status, status_at, status_since, created_at)
     select gen_random_uuid(), id, 'Other', id::text, 'WORKING', service_now(), service_now(), service_now()
       from others`,
  )
  await storeMessages(db, scope.organizationId, { count: 3000 })
  await db.raw('analyze')
})

const page = { show: 'all', place: null, limit: 50 } as const
const place = { lastMicros: Date.now() * 1000, contactId: newId() }
const search = { name: 'person 4321', number: 'person 4321', ...page }
const reads: [what: string, run: (explaining: Db) => Promise<unknown>][] = [
  ['the list of chats', (db) => listChats(db, numbers, page)],
  ['a later page of chats', (db) => listChats(db, numbers, { ...page, place })],
  ['the unread chats', (db) => listChats(db, numbers, { ...page, show: 'unread' })],
  ['the chats to answer', (db) => listChats(db, numbers, { ...page, show: 'to_answer', place })],
  ['a search of the chats to answer', (db) => searchAll(db, numbers, { ...search, show: 'to_answer' })],
  ['a search of chats', (db) => searchAll(db, numbers, search)],
  ['a thread', (db) => readThread(db, scope, contactId, { limit: 500, before: newId() })],
  ['the unread messages', (db) => listUnread(db, numbers, 20)],
  ['marking by ids', (db) => markIdsRead(db, { ...scope, containerId: null }, [newId(), newId()])],
  ['marking of one person', (db) => markContactRead(db, { ...scope, containerId: null }, contactId)],
  ['a search of contacts', (db) => searchContacts(db, { ...scope, containerId: null }, { ...search, offset: 0 })],
  [
    'a search of contacts for what everybody has',
    (db) =>
      searchContacts(db, { ...scope, containerId: null }, { name: 'person', number: 'person', limit: 10, offset: 0 }),
  ],
]

describe('a query of conversations', () => {
  it.each(reads)('scans no whole table for %s', async (_what, run) => {
    const plan = await queryPlan(db, async (explaining) => {
      // The rows of EXPLAIN are not the rows of the query.
      await run(explaining).catch(() => undefined)
    })
    expect(plan.length).toBeGreaterThan(1)
    expect(plan.filter((node) => node.startsWith('Seq Scan'))).toEqual([])
  })
})
