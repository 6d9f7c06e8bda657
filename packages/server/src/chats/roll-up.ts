import { personKey, upsertContacts } from '../contacts/upsert-contacts.ts'
import { type Db, transaction } from '../db/db.ts'
import { type ChatKey, recountChats, touchChats } from './records/message-store.ts'
import { findSent, hasChanges, insertOwn, takeChanges } from './roll-up-store.ts'

const batchSize = 1000
/** A look waits for no more than this; only a service that was just upgraded can be further behind. */
const maxBatches = 20

/**
 * Brings what the service sent, took back or deleted into the chats of one number. A look at its chats begins with it,
 * so that it is never behind; the periodic job leaves it little to do.
 */
export async function rollUpNumber(db: Db, containerId: string): Promise<void> {
  if (!(await hasChanges(db, containerId))) return
  for (let batch = 0; batch < maxBatches; batch++) if ((await rollUp(db, containerId)) < batchSize) return
}

/** The same for all numbers; the periodic job. Answers whether there may be more. */
export async function rollUpChats(db: Db): Promise<number> {
  return (await rollUp(db, null)) === batchSize ? 1 : 0
}

async function rollUp(db: Db, containerId: string | null): Promise<number> {
  return transaction(db, async (trx) => {
    const changes = await takeChanges(trx, containerId, batchSize)
    if (changes.length === 0) return 0
    const sent = await findSent(
      trx,
      changes.flatMap(({ messageId }) => messageId ?? []),
    )
    const seen = sent.map((one) => ({ ...one, address: one.recipient, networkName: null }))
    const people = await upsertContacts(trx, seen)
    const placed = seen.flatMap((one) => {
      const contactId = people.get(personKey(one))?.id
      return contactId === undefined ? [] : [{ ...one, contactId }]
    })
    await insertOwn(trx, placed)
    await touchChats(
      trx,
      placed.map((one) => ({ ...one, at: one.sentAt, unread: 0 })),
    )
    const deleted = placed.filter((one) => one.deleted)
    const gone = changes.flatMap(({ contactId, ...change }) => (contactId === null ? [] : [{ ...change, contactId }]))
    await recountTouched(trx, [...deleted, ...gone])
    return changes.length
  })
}

async function recountTouched(
  trx: Db,
  chats: readonly (ChatKey & { readonly organizationId: string })[],
): Promise<void> {
  const organizations = [...new Set(chats.map(({ organizationId }) => organizationId))].sort()
  for (const organizationId of organizations) {
    const theirs = chats.filter((chat) => chat.organizationId === organizationId)
    await recountChats(
      trx,
      organizationId,
      theirs.map((chat) => ({ ...chat, read: 0 })),
    )
  }
}
