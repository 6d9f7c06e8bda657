import { type Contract, dialogTexts, limits, standardLanguages } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Handlers, Request } from '#api/http/handler.ts'
import { numberNotFound } from '#numbers/send-group/select-number.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError, invalidField } from '#platform/errors.ts'
import {
  type BotFields,
  type BotRow,
  countBots,
  deleteBot,
  findBot,
  findOtherBot,
  findOwnNumbers,
  insertBot,
  listBots,
  lockBots,
  setNumbersActive,
  updateBot,
  writeBotStatus,
  writeNumbers,
} from './bot-store.ts'
import { noSuchBot } from './knowledge/answers.ts'
import { hasOrders } from './orders/order-store.ts'
import type { OfBot } from './orders/shop-store.ts'
import { toBot, toStoredShop } from './view.ts'

type Resource = Contract['bots']

/** The handlers that create, change and activate assistants. */
export const managementHandlers = {
  async list({ caller }, { db }) {
    const found = await listBots(db, caller.organizationId)
    return { bots: found.map((row) => toBot(row, caller)) }
  },

  async get({ caller, params }, { db }) {
    const found = await findBot(db, { organizationId: caller.organizationId, botId: params.botId })
    if (!found) throw noSuchBot()
    return { bot: toBot(found, caller) }
  },

  async create({ caller, body, idempotency }: Request<Resource['create']>) {
    const { containerIds, shop, ...given } = body
    const fields = { ...given, shop: toStoredShop(shop) }
    requireValid(caller, fields)
    const bot = { organizationId: caller.organizationId, botId: newId() }
    return idempotency.transact(async (trx) => {
      const limit = limits.bots.perOrganization
      await lockBots(trx, caller.organizationId)
      const used = await countBots(trx, caller.organizationId)
      if (used >= limit) {
        const details = { reason: 'quota_reached', limit, used, requested: 1 } as const
        throw apiError('FORBIDDEN_ACTION', `An organization has at most ${limit} assistants.`, details)
      }
      await requireOwnNumbers(trx, caller.organizationId, containerIds)
      await insertBot(trx, caller.organizationId, bot.botId, fields)
      await writeNumbers(trx, bot, containerIds, false)
      await record(trx, caller, bot, 'bot.created', { name: fields.name })
      return { bot: toBot(await requireBot(trx, bot), caller) }
    })
  },

  async update({ caller, params, body }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    const { containerIds, shop, ...change } = body
    return transaction(db, async (trx) => {
      if (containerIds) await lockBots(trx, bot.organizationId)
      const before = await requireBot(trx, bot, true)
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      const after: BotFields = { ...before, ...given, shop: shop === undefined ? before.shop : toStoredShop(shop) }
      requireValid(caller, after)
      await requireSameCurrency(trx, bot, before, after)
      await updateBot(trx, bot, after)
      if (containerIds) await changeNumbers(trx, bot, before, containerIds)
      if (before.status === 'active') requireUsable({ ...after, containerIds: containerIds ?? before.containerIds })
      await record(trx, caller, bot, 'bot.changed', { name: after.name, changed: Object.keys(body) })
      return { bot: toBot(await requireBot(trx, bot), caller) }
    })
  },

  async delete({ caller, params }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return transaction(db, async (trx) => {
      const { status, name } = await requireBot(trx, bot, true)
      if (status === 'active') {
        const message = 'The assistant is active. Pause it first: POST /bots/:botId/pause.'
        throw apiError('FORBIDDEN_ACTION', message, { reason: 'active', status })
      }
      await deleteBot(trx, bot)
      await record(trx, caller, bot, 'bot.deleted', { name })
      return {}
    })
  },

  async activate({ caller, params }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return transaction(db, async (trx) => {
      await lockBots(trx, bot.organizationId)
      const before = await requireBot(trx, bot, true)
      requireUsable(before)
      await requireFreeNumbers(trx, bot, before.containerIds)
      await setNumbersActive(trx, bot, true)
      await writeBotStatus(trx, bot, 'active')
      await record(trx, caller, bot, 'bot.activated', { name: before.name })
      return { bot: toBot(await requireBot(trx, bot), caller) }
    })
  },

  async pause({ caller, params }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return transaction(db, async (trx) => {
      const { name } = await requireBot(trx, bot, true)
      await setNumbersActive(trx, bot, false)
      await writeBotStatus(trx, bot, 'paused')
      await record(trx, caller, bot, 'bot.paused', { name })
      return { bot: toBot(await requireBot(trx, bot), caller) }
    })
  },
} satisfies Partial<Handlers<Resource>>

async function requireBot(trx: Db, bot: OfBot, lock = false): Promise<BotRow> {
  const found = await findBot(trx, bot, lock)
  if (!found) throw noSuchBot()
  return found
}

/** Throws VALIDATION_ERROR for a language without texts, and PRODUCT_REQUIRED for a shop without Shop. */
function requireValid({ products }: Caller, { languages, texts, shop }: BotFields): void {
  for (const lang of languages) {
    if (standardLanguages.some((standard) => standard === lang)) continue
    const missing = dialogTexts.filter((name) => texts[lang]?.[name] === undefined)
    if (missing.length > 0) throw invalidField(`texts.${lang}`, `must have ${missing.join(', ')}`)
  }
  if (shop?.enabled && !products.has('shop')) {
    throw apiError('PRODUCT_REQUIRED', 'A shop needs the product Shop.', { products: ['shop'] })
  }
}

/** Throws FORBIDDEN_ACTION for another currency once there is an order: its amounts are stored in the old one. */
async function requireSameCurrency(trx: Db, bot: OfBot, before: BotRow, after: BotFields): Promise<void> {
  const currency = before.shop?.currency ?? null
  if (currency === null || currency === (after.shop?.currency ?? null) || !(await hasOrders(trx, bot))) return
  const message = `The currency is ${currency} and cannot change any more: there are orders in it.`
  throw apiError('FORBIDDEN_ACTION', message, { reason: 'currency_fixed' })
}

/** Throws FORBIDDEN_ACTION for an assistant that could not be active. */
function requireUsable({ containerIds, shop }: Pick<BotRow, 'containerIds' | 'shop'>): void {
  if (containerIds.length === 0) {
    const message = 'The assistant has no number to answer on. Give it one first: PUT /bots/:botId.'
    throw apiError('FORBIDDEN_ACTION', message, { reason: 'no_number' })
  }
  if (shop?.enabled && shop.currency === null) {
    const message = 'The shop has no currency. Set it first: PUT /bots/:botId.'
    throw apiError('FORBIDDEN_ACTION', message, { reason: 'no_currency' })
  }
}

async function changeNumbers(trx: Db, bot: OfBot, before: BotRow, containerIds: readonly string[]): Promise<void> {
  await requireOwnNumbers(trx, bot.organizationId, containerIds)
  const isActive = before.status === 'active'
  if (isActive) await requireFreeNumbers(trx, bot, containerIds)
  await writeNumbers(trx, bot, containerIds, isActive)
}

async function requireOwnNumbers(trx: Db, organizationId: string, containerIds: readonly string[]): Promise<void> {
  const found = await findOwnNumbers(trx, organizationId, containerIds)
  if (found.length !== containerIds.length) throw numberNotFound()
}

/** Throws NUMBER_ON_OTHER_ASSISTANT when another active assistant answers on one of the numbers. */
async function requireFreeNumbers(trx: Db, bot: OfBot, containerIds: readonly string[]): Promise<void> {
  const other = await findOtherBot(trx, bot, containerIds)
  if (!other) return
  const message = 'Another active assistant uses this number. Pause it, or take the number from it.'
  throw apiError('NUMBER_ON_OTHER_ASSISTANT', message, other)
}

async function record(
  trx: Db,
  caller: Caller,
  { organizationId, botId }: OfBot,
  action: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordActivity(trx, { organizationId, actor: toActor(caller), action, subject: botId, details })
}
