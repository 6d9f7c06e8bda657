import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'
import type { OfBot, StoredShop } from './shop-store.ts'

/** A product as it is stored. */
export type ProductRow = Pick<
  Row<'bot_products'>,
  'id' | 'sku' | 'name' | 'description' | 'price' | 'stock' | 'available' | 'position' | 'createdAt' | 'updatedAt'
>

/** A product to store. */
export type NewProduct = Omit<ProductRow, 'createdAt' | 'updatedAt'>

const columns = `p.id, p.sku, p.name, p.description, p.price, p.stock, p.available, p.position, p.created_at,
  p.updated_at`

/** Returns the shop of an assistant, or undefined when there is no such assistant; `lock` keeps it as it is. */
export async function findShop(
  db: Db,
  { organizationId, botId }: OfBot,
  lock = false,
): Promise<{ shop: StoredShop | null } | undefined> {
  return firstRow<{ shop: StoredShop | null }>(
    db,
    `select shop from bots where organization_id = :organizationId and id = :botId ${lock ? 'for no key update' : ''}`,
    { organizationId, botId },
  )
}

const matches = `p.organization_id = :organizationId and p.bot_id = :botId
  and (:search::text is null or strpos(lower(p.name), lower(:search)) > 0 or strpos(lower(p.sku), lower(:search)) > 0)`

/** Returns one page of products in the order of the menu. */
export async function listProducts(
  db: Db,
  { organizationId, botId }: OfBot,
  search: string | null,
  page: { readonly limit: number; readonly offset: number },
): Promise<ProductRow[]> {
  return rows<ProductRow>(
    db,
    `select ${columns} from bot_products p where ${matches}
      order by p.position, p.created_at, p.id limit :limit offset :offset`,
    { organizationId, botId, search, ...page },
  )
}

/** Counts the products of an assistant. */
export async function countProducts(db: Db, { organizationId, botId }: OfBot, search: string | null): Promise<number> {
  const [counted] = await rows<{ total: number }>(db, `select count(*) as total from bot_products p where ${matches}`, {
    organizationId,
    botId,
    search,
  })
  return counted?.total ?? 0
}

/** Returns one product; `lock` keeps its row until the transaction ends. */
export async function findProduct(
  db: Db,
  { organizationId, botId }: OfBot,
  id: string,
  lock = false,
): Promise<ProductRow | undefined> {
  return firstRow<ProductRow>(
    db,
    `select ${columns} from bot_products p
      where p.organization_id = :organizationId and p.bot_id = :botId and p.id = :id ${lock ? 'for update' : ''}`,
    { organizationId, botId, id },
  )
}

/** Stores products. Returns how many; those with a sku that another product has are not stored. */
export async function insertProducts(
  trx: Db,
  { organizationId, botId }: OfBot,
  products: readonly NewProduct[],
): Promise<number> {
  const stored = await rows(
    trx,
    `insert into bot_products (id, bot_id, organization_id, sku, name, description, price, stock, available, position,
                               created_at, updated_at)
     select n.id, :botId, :organizationId, n.sku, n.name, n.description, n.price, n.stock, n.available, n.position,
            (select service_now()), (select service_now())
       from jsonb_to_recordset(:products::jsonb) as n(id uuid, sku text, name text, description text, price bigint,
            stock int, available boolean, position int)
     on conflict (bot_id, sku) do nothing returning id`,
    { organizationId, botId, products: JSON.stringify(products) },
  )
  return stored.length
}

/** Returns whether another product of the assistant has this sku. */
export async function hasSku(db: Db, { organizationId, botId }: OfBot, sku: string, except: string): Promise<boolean> {
  const found = await db('bot_products').where({ organizationId, botId, sku }).whereNot('id', except).first('id')
  return found !== undefined
}

/** Changes a locked product. */
export async function updateProduct(trx: Db, organizationId: string, product: NewProduct): Promise<void> {
  const { id, ...fields } = product
  await trx('bot_products')
    .where({ organizationId, id })
    .update({ ...fields, updatedAt: serviceNow(trx) })
}

/** Deletes a product. Returns false when there was none. */
export async function deleteProduct(db: Db, { organizationId, botId }: OfBot, id: string): Promise<boolean> {
  return (await db('bot_products').where({ organizationId, botId, id }).delete()) > 0
}
