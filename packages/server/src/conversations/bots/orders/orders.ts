import {
  type BotOrder,
  type BotTextName,
  type Contract,
  fromMinorUnits,
  type OrderStatus,
  orderMoves,
} from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Handlers, Request } from '#api/http/handler.ts'
import { hasBot } from '#conversations/bots/knowledge/answer-store.ts'
import { noSuchBot } from '#conversations/bots/knowledge/answers.ts'
import { textIn } from '#conversations/bots/texts/languages.ts'
import { selectQueue } from '#numbers/send-group/select-number.ts'
import type { Db } from '#platform/db/db.ts'
import { transaction } from '#platform/db/db.ts'
import { ApiError, apiError } from '#platform/errors.ts'
import { enqueueTexts } from '#sending/messages/queue/enqueue.ts'
import { consumeTrialQuota } from '#sending/messages/trial.ts'
import type { Services } from '#services.ts'
import {
  countOrders,
  findOrder,
  listOrders,
  lockOrder,
  type OrderRow,
  returnStock,
  writeOrderStatus,
} from './order-store.ts'
import { findTexts } from './phone-store.ts'
import type { OfBot } from './shop-store.ts'

type Changing = Request<Contract['bots']['changeOrder']>

/** The text for the customer of each status; none for a placed order, which the chat has confirmed. */
const statusTexts: Readonly<Record<OrderStatus, BotTextName | null>> = {
  placed: null,
  confirmed: 'orderConfirmed',
  shipped: 'orderShipped',
  delivered: 'orderDelivered',
  cancelled: 'orderCancelled',
  refused: 'orderRefused',
}

const stockReturns: ReadonlySet<OrderStatus> = new Set(['cancelled', 'refused'])

/** The handlers of orders. */
export const orderHandlers = {
  async orders({ caller, params, query }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    if (!(await hasBot(db, bot))) throw noSuchBot()
    const { page, limit, status, from, to } = query
    const phone = query.phone === undefined ? null : query.phone.replace(/^\+/, '')
    const filter = { ...bot, status: status ?? null, phone, from: from ?? null, to: to ?? null }
    const [total, found] = await Promise.all([
      countOrders(db, filter),
      listOrders(db, filter, { limit, offset: (page - 1) * limit }),
    ])
    return { total, page, limit, orders: found.map(toOrder) }
  },

  async order({ caller, params }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return { order: toOrder(await requireOrder(db, bot, Number(params.orderNumber))) }
  },

  changeOrder: moveAndNotify,
} satisfies Partial<Handlers<Contract['bots']>>

/** Moves an order, and notifies the customer where a number can send. */
async function moveAndNotify(request: Changing, services: Services) {
  const run = (notify: boolean) =>
    transaction(services.db, async (trx) => {
      const order = await move(trx, request)
      if (notify) await notifyCustomer(services, trx, request, order)
      return { order: toOrder(order), notified: notify }
    })
  if (!request.body.notify) return run(false)
  try {
    return await run(true)
  } catch (error) {
    const isRefused =
      error instanceof ApiError && (error.code === 'NO_SESSION_CONFIGURED' || error.code === 'TRIAL_LIMIT_REACHED')
    if (!isRefused) throw error
    return run(false)
  }
}

async function move(trx: Db, { caller, params, body }: Changing): Promise<OrderRow> {
  const bot = { organizationId: caller.organizationId, botId: params.botId }
  const number = Number(params.orderNumber)
  const status = await lockOrder(trx, bot, number)
  if (!status) throw noSuchOrder()
  if (!orderMoves[status].includes(body.status)) {
    const next = orderMoves[status].join(' or ')
    const advice = next === '' ? 'It stays so.' : `It can become ${next}.`
    throw apiError('FORBIDDEN_ACTION', `The order is ${status}. ${advice}`, { reason: 'order_status', status })
  }
  await writeOrderStatus(trx, bot, number, { status: body.status, note: body.note ?? null })
  const order = await requireOrder(trx, bot, number)
  if (stockReturns.has(body.status)) await returnStock(trx, bot.organizationId, order.id)
  await recordActivity(trx, {
    organizationId: bot.organizationId,
    actor: toActor(caller),
    action: 'order.moved',
    subject: order.id,
    details: { orderNumber: params.orderNumber, from: status, to: body.status },
  })
  return order
}

async function notifyCustomer(
  { clock }: Pick<Services, 'clock'>,
  trx: Db,
  {
    caller,
    params,
    body,
  }: { readonly caller: Caller; readonly params: Changing['params']; readonly body: Changing['body'] },
  order: OrderRow,
): Promise<void> {
  const { organizationId } = caller
  const { botId } = params
  const name = statusTexts[order.status]
  if (name === null || order.contactPhone === '') return
  const own = await findTexts(trx, { organizationId, botId })
  const sentence = textIn(own, order.lang, name, { number: String(order.number) })
  const text = body.note === undefined ? sentence : `${sentence}\n${body.note}`
  const chosen = await selectQueue(trx, { organizationId, containerId: null }, order.containerId, order.contactPhone)
  await consumeTrialQuota(trx, clock, caller, 1)
  const { conversationId } = order
  await enqueueTexts(trx, clock, [
    {
      ...chosen,
      organizationId,
      type: 'alert',
      recipient: order.contactPhone,
      text,
      priority: 'normal',
      clientReference: null,
      bot: { botId, conversationId },
    },
  ])
}

async function requireOrder(db: Db, bot: OfBot, number: number): Promise<OrderRow> {
  const found = await findOrder(db, bot, number)
  if (!found) throw noSuchOrder()
  return found
}

function noSuchOrder() {
  return apiError('NOT_FOUND', 'There is no such order.')
}

function toOrder({ id: _id, lang: _lang, number, placedAt, updatedAt, ...row }: OrderRow): BotOrder {
  const inUnits = (minor: number) => fromMinorUnits(minor, row.currency)
  return {
    ...row,
    orderNumber: String(number),
    lines: row.lines.map((line) => ({ ...line, price: inUnits(line.price) })),
    history: [...row.history],
    deliveryFee: inUnits(row.deliveryFee),
    total: inUnits(row.total),
    placedAt: placedAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
