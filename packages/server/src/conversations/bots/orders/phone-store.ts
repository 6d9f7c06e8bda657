import type { BotTexts } from '@msgctl/contract'
import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import type { OfBot } from './shop-store.ts'

/** Returns the texts of an assistant that replace the standard ones. */
export async function findTexts(db: Db, { organizationId, botId }: OfBot): Promise<BotTexts> {
  const [found] = await rows<{ texts: BotTexts }>(
    db,
    'select texts from bots where organization_id = :organizationId and id = :botId',
    { organizationId, botId },
  )
  return found?.texts ?? {}
}

/** Returns whether one of the organization's numbers has, or had, this phone. */
export async function isOwnPhone(db: Db, organizationId: string, phone: string): Promise<boolean> {
  const found = await rows(
    db,
    `select 1 as own from numbers where organization_id = :organizationId
      and :phone in (phone_number, last_linked_phone) limit 1`,
    { organizationId, phone },
  )
  return found.length > 0
}

/** Stores an order phone. Returns false when the assistant has it already. */
export async function insertOrderPhone(
  trx: Db,
  { organizationId, botId }: OfBot,
  { phone, name }: { readonly phone: string; readonly name: string | null },
): Promise<boolean> {
  const inserted = await trx('bot_order_phones')
    .insert({ botId, organizationId, phone, name, createdAt: serviceNow(trx) })
    .onConflict()
    .ignore()
    .returning('phone')
  return inserted.length > 0
}

/** Deletes an order phone. Returns false when there was none. */
export async function deleteOrderPhone(db: Db, { organizationId, botId }: OfBot, phone: string): Promise<boolean> {
  return (await db('bot_order_phones').where({ organizationId, botId, phone }).delete()) > 0
}
