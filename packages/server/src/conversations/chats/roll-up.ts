import { personKey, upsertContacts } from '#conversations/contacts/upsert-contacts.ts'
import { type ChatKey, recountChats, touchChats } from '#conversations/records/message-store.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { findSent, hasChanges, insertOwn, takeChanges } from './roll-up-store.ts'

const batchSize = 1000
/** A read of chats waits for no more than this. Only a service that was just upgraded can be further behind. */
const maxBatches = 20

/**
 * Rolls up what the service sent, revoked or deleted into the chats of one number. Every read of chats starts with it,
 * so that no reader is behind; the periodic job leaves it little to do.
 */
export async function rollUpNumber(db: Db, containerId: string): Promise<void> {
  if (!(await hasChanges(db, containerId))) return
  for (let batch = 0; batch < maxBatches; batch++) if ((await rollUp(db, containerId)) < batchSize) return
}

/** The periodic job: rolls up one batch of all numbers. Returns 1 if there may be more, otherwise 0. */
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
    const inputs = sent.map((one) => ({ ...one, address: one.recipient, networkName: null }))
    const contacts = await upsertContacts(trx, inputs)
    const placed = inputs.flatMap((one) => {
      const contactId = contacts.get(personKey(one))?.id
      return contactId === undefined ? [] : [{ ...one, contactId }]
    })
    await insertOwn(trx, placed)
    await touchChats(
      trx,
      placed.map((one) => ({ ...one, at: one.sentAt, unread: 0 })),
    )
    const deleted = placed.filter((one) => one.deleted)
    const emptied = changes.flatMap(({ contactId, ...change }) =>
      contactId === null ? [] : [{ ...change, contactId }],
    )
    await recountTouched(trx, [...deleted, ...emptied])
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
