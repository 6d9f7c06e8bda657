import type { Contract } from '@msgctl/contract'
import type { Handlers, Request } from '#api/http/handler.ts'
import type { Services } from '#services.ts'
import { askBot } from './ask.ts'
import { countTurns } from './bot-store.ts'
import { conversationHandlers } from './conversations/handlers.ts'
import { reviewHandlers } from './conversations/reviews.ts'
import { answerHandlers } from './knowledge/answers.ts'
import { managementHandlers } from './manage.ts'
import { openAssistants } from './model/assistants.ts'
import { orderPhoneHandlers } from './orders/order-phones.ts'
import { orderHandlers } from './orders/orders.ts'
import { productHandlers } from './orders/products.ts'
import { monthOf } from './records/allowance.ts'
import { findPeriod, findUsed } from './records/allowance-store.ts'

/** Returns what the assistants of an organization did this month, and how much of the AI allowance is used. */
async function botUsage({ caller }: Request<Contract['bots']['usage']>, services: Services) {
  const { db, clock } = services
  const now = clock.now()
  const period = await findPeriod(db, now, caller, openAssistants(services).allowance)
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const [counts, used] = await Promise.all([
    countTurns(db, caller.organizationId, since),
    findUsed(db, caller.organizationId, period),
  ])
  return {
    month: monthOf(now),
    limitUsd: period.limitMicroUsd / 1_000_000,
    usedUsd: used / 1_000_000,
    renewsAt: period.renewsAt?.toISOString() ?? null,
    ...counts,
  }
}

/** The handlers of /bots. */
export const botHandlers = {
  ...managementHandlers,
  ...answerHandlers,
  ...reviewHandlers,
  ...conversationHandlers,
  ...productHandlers,
  ...orderHandlers,
  ...orderPhoneHandlers,
  ask: askBot,
  usage: botUsage,
} satisfies Handlers<Contract['bots']>
