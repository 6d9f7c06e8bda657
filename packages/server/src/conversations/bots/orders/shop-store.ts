import { type Db, rows } from '#platform/db/db.ts'
import type { Catalogue, CatalogueProduct } from './draft.ts'

/** The shop of an assistant as it is stored: amounts in the smallest unit of the currency. */
export interface StoredShop {
  readonly enabled: boolean
  readonly currency: string | null
  readonly deliveryFee: number
  readonly minimumOrder: number
  readonly askName: boolean
  readonly askAddress: boolean
  readonly askNote: boolean
}

/** An assistant by its id. */
export interface OfBot {
  readonly organizationId: string
  readonly botId: string
}

/**
 * Returns the catalogue of a shop. The products in `locked` are locked until the transaction ends, in the order of
 * their ids, so that their stock cannot change between a comparison and an order.
 */
export async function readCatalogue(
  trx: Db,
  { organizationId, botId }: OfBot,
  shop: StoredShop,
  locked: readonly string[],
): Promise<Catalogue> {
  if (locked.length > 0) {
    await rows(
      trx,
      `select id from bot_products
        where organization_id = :organizationId and bot_id = :botId and id = any(:locked::uuid[]) order by id
          for update`,
      { organizationId, botId, locked },
    )
  }
  const products = await rows<CatalogueProduct>(
    trx,
    `select id, name, price, stock, available from bot_products
      where organization_id = :organizationId and bot_id = :botId order by position, created_at, id`,
    { organizationId, botId },
  )
  const { currency, deliveryFee, minimumOrder, askName, askAddress, askNote } = shop
  return {
    currency: currency ?? '',
    deliveryFee,
    minimumOrder,
    asks: { name: askName, address: askAddress, note: askNote },
    products,
  }
}
