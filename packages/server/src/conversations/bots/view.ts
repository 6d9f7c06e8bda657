import { type Bot, fromMinorUnits, type NewBot, toMinorUnits } from '@msgctl/contract'
import type { Caller } from '#api/http/handler.ts'
import { invalidField } from '#platform/errors.ts'
import type { BotRow } from './bot-store.ts'
import type { StoredShop } from './orders/shop-store.ts'

/** Returns an assistant as the API shows it to a caller. */
export function toBot(row: BotRow, { products }: Pick<Caller, 'products'>): Bot {
  const { createdAt, updatedAt, shop, languages, containerIds, personWords, ...rest } = row
  return {
    ...rest,
    texts: Object.fromEntries(
      Object.entries(rest.texts).map(([lang, texts]) => [lang, Object.fromEntries(Object.entries(texts ?? {}))]),
    ) as Bot['texts'],
    languages: [...languages],
    containerIds: [...containerIds],
    personWords: [...personWords],
    shop: toShop(shop),
    notice: noticeOf(row, products),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** Returns why an active assistant does not speak or takes no orders, or a paused one would not; null otherwise. */
function noticeOf({ status, containerIds, shop }: BotRow, products: Caller['products']): Bot['notice'] {
  if (status === 'draft') return null
  if (!products.has('assistant') && !products.has('shop')) return 'product_missing'
  if (containerIds.length === 0) return 'no_number'
  return shop?.enabled && !products.has('shop') ? 'shop_missing' : null
}

function toShop(shop: StoredShop | null): Bot['shop'] {
  if (shop === null) return null
  const { currency, deliveryFee, minimumOrder } = shop
  const inUnits = (minor: number) => (currency === null ? minor : fromMinorUnits(minor, currency))
  return { ...shop, deliveryFee: inUnits(deliveryFee), minimumOrder: inUnits(minimumOrder) }
}

/** Returns a shop as it is stored. Throws VALIDATION_ERROR for amounts that its currency does not have. */
export function toStoredShop(shop: NewBot['shop']): StoredShop | null {
  if (shop === null) return null
  const { currency } = shop
  if (currency === null && (shop.deliveryFee > 0 || shop.minimumOrder > 0)) {
    throw invalidField('shop.currency', 'must be given with amounts')
  }
  return {
    ...shop,
    deliveryFee: currency === null ? 0 : requireMinor('shop.deliveryFee', shop.deliveryFee, currency),
    minimumOrder: currency === null ? 0 : requireMinor('shop.minimumOrder', shop.minimumOrder, currency),
  }
}

/** Returns an amount in the smallest unit of its currency. Throws VALIDATION_ERROR when it has too many decimals. */
function requireMinor(field: string, amount: number, currency: string): number {
  const minor = toMinorUnits(amount, currency)
  if (minor === null) throw invalidField(field, `must not have more decimals than ${currency} has`)
  return minor
}
