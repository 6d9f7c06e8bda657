import { type BotProduct, type Contract, fromMinorUnits, limits, toMinorUnits } from '@msgctl/contract'
import type { Handlers, Request } from '#api/http/handler.ts'
import { noSuchBot } from '#conversations/bots/knowledge/answers.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError, invalidField, invalidFields } from '#platform/errors.ts'
import {
  countProducts,
  deleteProduct,
  findProduct,
  findShop,
  hasSku,
  insertProducts,
  listProducts,
  type NewProduct,
  type ProductRow,
  updateProduct,
} from './product-store.ts'
import type { OfBot } from './shop-store.ts'

type Resource = Contract['bots']
type Given = Omit<NewProduct, 'id'>

/** The handlers of a catalogue. */
export const productHandlers = {
  async products({ caller, params, query }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    const found = await findShop(db, bot)
    if (!found) throw noSuchBot()
    const { page, limit } = query
    const search = query.search || null
    const [total, products] = await Promise.all([
      countProducts(db, bot, search),
      listProducts(db, bot, search, { limit, offset: (page - 1) * limit }),
    ])
    const currency = found.shop?.currency ?? ''
    return { total, page, limit, products: products.map((row) => toProduct(row, currency)) }
  },

  async addProduct({ caller, params, body, idempotency }: Request<Resource['addProduct']>) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return idempotency.transact(async (trx) => {
      const currency = await lockShop(trx, bot)
      const price = toMinorUnits(body.price, currency)
      if (price === null) throw tooManyDecimals(currency)
      const [id = ''] = await addProducts(trx, bot, [{ ...body, price }])
      return { product: toProduct(await requireProduct(trx, bot, id), currency) }
    })
  },

  async importProducts({ caller, params, body, idempotency }: Request<Resource['importProducts']>) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return idempotency.transact(async (trx) => {
      const currency = await lockShop(trx, bot)
      const created = await addProducts(trx, bot, requireRows(body.rows, currency))
      return { created: created.length }
    })
  },

  async changeProduct({ caller, params, body }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return transaction(db, async (trx) => {
      const currency = await lockShop(trx, bot)
      const {
        createdAt: _createdAt,
        updatedAt: _updatedAt,
        ...before
      } = await requireProduct(trx, bot, params.productId, true)
      const price = body.price === undefined ? before.price : toMinorUnits(body.price, currency)
      if (price === null) throw tooManyDecimals(currency)
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
      const after: NewProduct = { ...before, ...given, price }
      if (after.sku !== null && (await hasSku(trx, bot, after.sku, before.id))) throw skuTaken()
      await updateProduct(trx, bot.organizationId, after)
      return { product: toProduct(await requireProduct(trx, bot, before.id), currency) }
    })
  },

  async removeProduct({ caller, params }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    if (!(await deleteProduct(db, bot, params.productId))) throw noSuchProduct()
    return {}
  },
} satisfies Partial<Handlers<Resource>>

/**
 * Locks an assistant, so that its currency stays. Returns the currency. Throws NOT_FOUND, or FORBIDDEN_ACTION without
 * one.
 */
async function lockShop(trx: Db, bot: OfBot): Promise<string> {
  const found = await findShop(trx, bot, true)
  if (!found) throw noSuchBot()
  if (found.shop?.currency) return found.shop.currency
  const message = 'The shop has no currency, so it has no prices. Set it first: PUT /bots/:botId.'
  throw apiError('FORBIDDEN_ACTION', message, { reason: 'no_currency' })
}

async function addProducts(trx: Db, bot: OfBot, given: readonly Given[]): Promise<string[]> {
  const limit = limits.bots.products
  const used = await countProducts(trx, bot, null)
  if (used + given.length > limit) {
    const message = `A shop has at most ${limit} products; it has ${used}.`
    throw apiError('FORBIDDEN_ACTION', message, { reason: 'quota_reached', limit, used, requested: given.length })
  }
  const products = given.map((product) => ({ ...product, id: newId() }))
  if ((await insertProducts(trx, bot, products)) < products.length) throw skuTaken()
  return products.map(({ id }) => id)
}

/** Returns rows with prices in the smallest unit. Throws VALIDATION_ERROR for prices and skus that cannot be stored. */
function requireRows(rows: readonly Given[], currency: string): Given[] {
  const faults = new Map<string, string>()
  const skus = new Set<string>()
  const converted = rows.map((row, at) => {
    const price = toMinorUnits(row.price, currency)
    if (price === null) faults.set(`rows.${at}.price`, `must not have more decimals than ${currency} has`)
    if (row.sku !== null && skus.has(row.sku)) faults.set(`rows.${at}.sku`, 'stands in the import already')
    if (row.sku !== null) skus.add(row.sku)
    return { ...row, price: price ?? 0 }
  })
  if (faults.size > 0) throw invalidFields('Some rows are invalid. Nothing was stored.', faults)
  return converted
}

async function requireProduct(db: Db, bot: OfBot, id: string, lock = false): Promise<ProductRow> {
  const found = await findProduct(db, bot, id, lock)
  if (!found) throw noSuchProduct()
  return found
}

function toProduct({ createdAt, updatedAt, price, ...row }: ProductRow, currency: string): BotProduct {
  return {
    ...row,
    price: fromMinorUnits(price, currency),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function tooManyDecimals(currency: string) {
  return invalidField('price', `must not have more decimals than ${currency} has`)
}

function skuTaken() {
  return apiError('CONFLICT', 'Another product of the shop has this sku.', { reason: 'already_exists' })
}

function noSuchProduct() {
  return apiError('NOT_FOUND', 'There is no such product.')
}
