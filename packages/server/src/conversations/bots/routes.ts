import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { askBot } from './ask.ts'
import { conversationHandlers } from './conversations/handlers.ts'
import { reviewHandlers } from './conversations/reviews.ts'
import { answerHandlers } from './knowledge/answers.ts'
import { managementHandlers } from './manage.ts'
import { orderPhoneHandlers } from './orders/order-phones.ts'
import { orderHandlers } from './orders/orders.ts'
import { productHandlers } from './orders/products.ts'
import { botUsage } from './usage.ts'

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
