import { operator, recordActivity } from '#api/activity/log.ts'
import { eraseContacts } from '#conversations/contacts/erase-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { countUnsent, deleteRowsOf, listOpenCampaigns, lockPerson } from './contact-store.ts'

/** What was erased of a person. */
export interface ErasedContact {
  /** How many rows were deleted, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Whether the phone was kept, because the person opted out of campaigns. */
  readonly optOutKept: boolean
}

/**
 * Erases what an organization stores of one person it has written with: messages, chats, codes, reminders, orders,
 * conversations with assistants and the contact. Counts stay, and so does an opt-out with its phone. Throws
 * {@link Refusal} while messages to the person wait, or a campaign that has not ended lists them.
 */
export async function eraseContact(db: Db, organizationId: string, phone: string): Promise<ErasedContact> {
  return transaction(db, async (trx) => {
    const [organization] = await trx('organizations').where({ id: organizationId }).select('id')
    if (!organization) throw new Refusal(`There is no organization ${organizationId}.`)
    const person = await lockPerson(trx, organizationId, phone)
    const unsent = await countUnsent(trx, person)
    if (unsent > 0)
      throw new Refusal(
        `Messages to this person wait or are being sent: ${unsent}. Take them back or wait, and try again.`,
      )
    const campaigns = await listOpenCampaigns(trx, person)
    if (campaigns.length > 0)
      throw new Refusal(
        `Campaigns that have not ended list this person: ${campaigns.join(', ')}. Cancel or end them first.`,
      )
    const rows = await deleteRowsOf(trx, person)
    const optOutKept = await eraseContacts(trx, person)
    // No phone and no name: the entry outlives the person's data.
    await recordActivity(trx, {
      organizationId,
      actor: operator,
      action: 'contact.erased',
      details: { rows, optOutKept },
    })
    return { rows, optOutKept }
  })
}
