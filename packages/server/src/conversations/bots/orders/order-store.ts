import type { OrderStatus } from '@msgctl/contract'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import type { Row } from '#platform/db/tables.ts'
import type { Placement } from './draft.ts'
import type { OfBot } from './shop-store.ts'

/** The first order of an organization has this number. */
const firstNumber = 1001

/** Returns the next order number of an organization. Its row stays locked until the transaction ends. */
async function takeNumber(trx: Db, organizationId: string): Promise<number> {
  const [taken] = await rows<{ number: number }>(
    trx,
    `insert into order_numbers as kept (organization_id, last_number) values (:organizationId, :firstNumber)
     on conflict (organization_id) do update set last_number = kept.last_number + 1
     returning last_number as number`,
    { organizationId, firstNumber },
  )
  if (!taken) throw new Error('an upsert returns its row')
  return taken.number
}

/** Where an order comes from. */
export interface OrderOrigin extends OfBot {
  readonly conversationId: string
  readonly containerId: string
  readonly contactId: string
}

/**
 * Stores an order and takes its products from the stock. Returns its number. Throws when the stock does not suffice.
 */
export async function insertOrder(trx: Db, origin: OrderOrigin, placement: Placement): Promise<number> {
  const { organizationId, botId } = origin
  const taken = await rows(
    trx,
    `update bot_products p set stock = p.stock - l.quantity
       from jsonb_to_recordset(:lines::jsonb) as l("productId" uuid, quantity int)
      where p.organization_id = :organizationId and p.bot_id = :botId and p.id = l."productId"
        and (p.stock is null or p.stock >= l.quantity)
     returning p.id`,
    { organizationId, botId, lines: JSON.stringify(placement.lines) },
  )
  if (taken.length !== placement.lines.length) throw new Error('the stock of a locked product changed')
  const number = await takeNumber(trx, organizationId)
  const id = newId()
  await rows(
    trx,
    `with placed as (
       insert into bot_orders (id, bot_id, organization_id, conversation_id, container_id, contact_id, number, status,
                               delivery_fee, total, currency, name, address, note, history, placed_at, updated_at)
       select :id, :botId, :organizationId, :conversationId, :containerId, :contactId, :number, 'placed',
              :deliveryFee, :total, :currency, :name, :address, :note,
              jsonb_build_array(jsonb_build_object('at', iso_instant(now), 'status', 'placed', 'note', null)), now, now
         from (select service_now() as now) time
       returning id
     )
     insert into bot_order_lines (order_id, place, organization_id, product_id, name, price, quantity)
     select placed.id, l.place, :organizationId, l."productId", l.name, l.price, l.quantity
       from placed cross join jsonb_to_recordset(:lines::jsonb) as l(place int, "productId" uuid, name text,
           price bigint, quantity int)`,
    {
      id,
      ...origin,
      number,
      deliveryFee: placement.deliveryFee,
      total: placement.total,
      currency: placement.currency,
      name: placement.name,
      address: placement.address,
      note: placement.note,
      lines: JSON.stringify(placement.lines.map((line, place) => ({ ...line, place }))),
    },
  )
  return number
}

/** A stored order with its lines. */
export interface OrderRow
  extends Omit<Row<'bot_orders'>, 'status' | 'history' | 'botId' | 'organizationId' | 'contactId'> {
  readonly status: OrderStatus
  readonly contactPhone: string
  readonly lines: readonly {
    readonly productId: string
    readonly name: string
    readonly price: number
    readonly quantity: number
  }[]
  readonly history: readonly { readonly at: string; readonly status: OrderStatus; readonly note: string | null }[]
  /** The language of its conversation. */
  readonly lang: string
}

const columns = `d.id, d.number, d.status, coalesce(k.phone, k.lid, '') as contact_phone, d.container_id,
  d.conversation_id, d.delivery_fee, d.total, d.currency, d.name, d.address, d.note, d.history, d.placed_at,
  d.updated_at,
  coalesce((select c.lang from bot_conversations c where c.id = d.conversation_id), 'en') as lang,
  (select jsonb_agg(jsonb_build_object('productId', l.product_id, 'name', l.name, 'price', l.price, 'quantity',
        l.quantity)
                    order by l.place) from bot_order_lines l where l.order_id = d.id) as lines`

const from = `bot_orders d left join contacts k on k.organization_id = d.organization_id and k.id = d.contact_id`

/** A filter of orders; null matches all. */
export interface OrderFilter extends OfBot {
  readonly status: OrderStatus | null
  readonly phone: string | null
  readonly from: string | null
  readonly to: string | null
}

const matches = `d.organization_id = :organizationId and d.bot_id = :botId
  and (:status::text is null or d.status = :status)
  and (:phone::text is null or :phone in (k.phone, k.lid))
  and (:from::timestamptz is null or d.placed_at >= :from) and (:to::timestamptz is null or d.placed_at < :to)`

/** Returns one page of orders, the latest first. */
export async function listOrders(
  db: Db,
  filter: OrderFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<OrderRow[]> {
  return rows<OrderRow>(
    db,
    `select ${columns} from ${from} where ${matches} order by d.number desc limit :limit offset :offset`,
    { ...filter, ...page },
  )
}

/** Counts the orders that match. */
export async function countOrders(db: Db, filter: OrderFilter): Promise<number> {
  const [counted] = await rows<{ total: number }>(db, `select count(*) as total from ${from} where ${matches}`, {
    ...filter,
  })
  return counted?.total ?? 0
}

/** Returns one order by its number. */
export async function findOrder(
  db: Db,
  { organizationId, botId }: OfBot,
  number: number,
): Promise<OrderRow | undefined> {
  return firstRow<OrderRow>(
    db,
    `select ${columns} from ${from}
      where d.organization_id = :organizationId and d.bot_id = :botId and d.number = :number`,
    { organizationId, botId, number },
  )
}

/** Locks an order. Returns its status, or undefined when there is none. */
export async function lockOrder(
  trx: Db,
  { organizationId, botId }: OfBot,
  number: number,
): Promise<OrderStatus | undefined> {
  const [found] = await rows<{ status: OrderStatus }>(
    trx,
    `select status from bot_orders where organization_id = :organizationId and bot_id = :botId and number = :number
      for update`,
    { organizationId, botId, number },
  )
  return found?.status
}

/** Moves a locked order to a status. */
export async function writeOrderStatus(
  trx: Db,
  { organizationId, botId }: OfBot,
  number: number,
  move: { readonly status: OrderStatus; readonly note: string | null },
): Promise<void> {
  await rows(
    trx,
    `update bot_orders d set status = :status, updated_at = now,
            history = d.history || jsonb_build_object('at', iso_instant(now), 'status', :status::text, 'note',
                :note::text)
       from (select service_now() as now) time
      where d.organization_id = :organizationId and d.bot_id = :botId and d.number = :number`,
    { organizationId, botId, number, ...move },
  )
}

/** Puts the products of an order back into the stock, as far as they still exist and are counted. */
export async function returnStock(trx: Db, organizationId: string, orderId: string): Promise<void> {
  await rows(
    trx,
    `with back as (
       select p.id, l.quantity from bot_order_lines l join bot_products p on p.id = l.product_id
        where l.organization_id = :organizationId and l.order_id = :orderId order by p.id for update of p
     )
     update bot_products p set stock = p.stock + back.quantity from back where p.id = back.id and p.stock is not null`,
    { organizationId, orderId },
  )
}

/** Returns whether an assistant has an order. */
export async function hasOrders(db: Db, { organizationId, botId }: OfBot): Promise<boolean> {
  return (await db('bot_orders').where({ organizationId, botId }).first('id')) !== undefined
}

/** Returns the phones that get a text for each order of an assistant. */
export async function listOrderPhones(
  db: Db,
  { organizationId, botId }: OfBot,
): Promise<{ phone: string; name: string | null; createdAt: Date }[]> {
  return rows(
    db,
    `select phone, name, created_at from bot_order_phones
      where organization_id = :organizationId and bot_id = :botId order by created_at, phone`,
    { organizationId, botId },
  )
}
