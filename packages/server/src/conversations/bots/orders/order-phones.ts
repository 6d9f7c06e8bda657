import { type Contract, limits } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Handlers, Request } from '#api/http/handler.ts'
import { hasBot, lockKnowledge } from '#conversations/bots/knowledge/answer-store.ts'
import { noSuchBot } from '#conversations/bots/knowledge/answers.ts'
import { requireOnNetwork } from '#numbers/recipients/check.ts'
import { findChecks } from '#numbers/recipients/check-store.ts'
import { selectSender } from '#numbers/send-group/select-number.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { listOrderPhones } from './order-store.ts'
import { deleteOrderPhone, insertOrderPhone, isOwnPhone } from './phone-store.ts'

type Resource = Contract['bots']

/** The handlers of the phones that get a text for each order. */
export const orderPhoneHandlers = {
  async orderPhones({ caller, params }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    if (!(await hasBot(db, bot))) throw noSuchBot()
    return { orderPhones: (await listOrderPhones(db, bot)).map(toOrderPhone) }
  },

  async addOrderPhone(request: Request<Resource['addOrderPhone']>, services: Services) {
    const { caller, params, body } = request
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    if (!(await hasBot(services.db, bot))) throw noSuchBot()
    if (await isOwnPhone(services.db, bot.organizationId, body.phone)) {
      const message = 'This is the phone of one of your numbers. An order phone must be another one.'
      throw apiError('STAFF_PHONE_IS_BUSINESS', message)
    }
    await requireReachable(request, services)
    return transaction(services.db, async (trx) => {
      await lockKnowledge(trx, bot)
      const before = await listOrderPhones(trx, bot)
      if (before.some(({ phone }) => phone === body.phone)) throw phoneExists()
      const limit = limits.staffPhones
      if (before.length >= limit) {
        throw apiError('STAFF_PHONE_LIMIT', `An assistant has at most ${limit} order phones.`, { limit })
      }
      await insertOrderPhone(trx, bot, body)
      await record(trx, caller, bot.botId, { action: 'order_phone.added', phone: body.phone })
      const stored = (await listOrderPhones(trx, bot)).find(({ phone }) => phone === body.phone)
      if (!stored) throw phoneExists()
      return { orderPhone: toOrderPhone(stored) }
    })
  },

  async removeOrderPhone({ caller, params }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return transaction(db, async (trx) => {
      if (!(await deleteOrderPhone(trx, bot, params.phone))) {
        throw apiError('NOT_FOUND', 'There is no such order phone.')
      }
      await record(trx, caller, bot.botId, { action: 'order_phone.removed', phone: params.phone })
      return {}
    })
  },
} satisfies Partial<Handlers<Resource>>

/** Adds an entry to the activity log, with the last four digits of the phone. */
function record(
  trx: Db,
  caller: Caller,
  subject: string,
  { action, phone }: { readonly action: string; readonly phone: string },
): Promise<void> {
  const details = { phone: `...${phone.slice(-4)}` }
  const { organizationId } = caller
  return recordActivity(trx, { organizationId, actor: toActor(caller), action, subject, details })
}

/**
 * Throws NUMBER_NOT_ON_NETWORK for a phone that is not on the network. Without a connected number it cannot be checked.
 */
async function requireReachable(
  { caller, body, signal }: Request<Resource['addOrderPhone']>,
  services: Services,
): Promise<void> {
  const { organizationId } = caller
  const sender = await selectSender(services.db, caller, undefined, body.phone).catch(() => null)
  if (!sender) return
  const [known] = await findChecks(services.db, organizationId, [body.phone])
  const session = { organizationId, containerId: sender.containerId }
  await requireOnNetwork(services, session, body.phone, { known, signal })
}

function phoneExists() {
  return apiError('CONFLICT', 'The assistant has this order phone already.', { reason: 'already_exists' })
}

function toOrderPhone({ createdAt, ...row }: { phone: string; name: string | null; createdAt: Date }) {
  return { ...row, createdAt: createdAt.toISOString() }
}
