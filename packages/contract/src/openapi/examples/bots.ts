import type { InputTo, OutputOf, RouteName } from '../../contract.ts'
import { now } from './cast.ts'
import * as cast from './cast-bots.ts'

const { bot, botId, botOrder, conversation, openingHours, orderPhone, pizza, review, reviewAnswer } = cast
const success = true
const page = { total: 1, page: 1, limit: 50 } as const
const ofBot = { botId } as const

type Inputs = { readonly [N in RouteName<'bots'>]?: Partial<InputTo<'bots', N>> }
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T
type Outputs = { readonly [N in RouteName<'bots'>]: DeepReadonly<OutputOf<'bots', N>> }

/** Example inputs of the routes of assistants. */
export const botInputs = {
  create: { name: bot.name, containerIds: [...bot.containerIds], languages: ['en'] },
  get: ofBot,
  update: { ...ofBot, outsideHours: 'away' },
  delete: ofBot,
  activate: ofBot,
  pause: ofBot,
  ask: { ...ofBot, question: 'what time do you open' },
  answers: ofBot,
  addAnswer: { ...ofBot, questions: [...openingHours.questions], answer: openingHours.answer },
  importAnswers: { ...ofBot, rows: [{ questions: [...openingHours.questions], answer: openingHours.answer }] },
  changeAnswer: { ...ofBot, answerId: openingHours.id, enabled: false },
  removeAnswer: { ...ofBot, answerId: openingHours.id },
  reviews: { ...ofBot, status: 'open' },
  resolveReview: { ...ofBot, reviewId: cast.reviewId, answer: reviewAnswer },
  conversations: { ...ofBot, state: 'person' },
  conversation: { ...ofBot, conversationId: cast.conversationId },
  takeOver: { ...ofBot, conversationId: cast.conversationId },
  giveBack: { ...ofBot, conversationId: cast.conversationId },
  products: { ...ofBot, search: 'pizza' },
  addProduct: { ...ofBot, name: pizza.name, price: pizza.price, sku: pizza.sku, stock: pizza.stock },
  importProducts: { ...ofBot, rows: [{ name: pizza.name, price: pizza.price }] },
  changeProduct: { ...ofBot, productId: pizza.id, price: 10.5 },
  removeProduct: { ...ofBot, productId: pizza.id },
  orders: { ...ofBot, status: 'placed' },
  order: { ...ofBot, orderNumber: botOrder.orderNumber },
  changeOrder: { ...ofBot, orderNumber: botOrder.orderNumber, status: 'confirmed' },
  orderPhones: ofBot,
  addOrderPhone: { ...ofBot, phone: '+12025550177', name: 'Kitchen' },
  removeOrderPhone: { ...ofBot, phone: '+12025550177' },
} as const satisfies Inputs

const confirmed = {
  ...botOrder,
  status: 'confirmed',
  history: [...botOrder.history, { at: now, status: 'confirmed', note: null }],
} as const

/** Example responses of the routes of assistants. */
export const botOutputs = {
  list: { success, bots: [bot] },
  create: {
    success,
    bot: { ...bot, status: 'draft', answers: 0, texts: {}, hours: null, personWords: [], shop: null },
  },
  usage: {
    success,
    month: '2026-11',
    limitUsd: 10,
    usedUsd: 0.42,
    renewsAt: '2026-12-01T00:00:00.000Z',
    questions: 210,
    answered: 151,
    chosen: 24,
    unanswered: 29,
    handoffs: 6,
    orders: 12,
  },
  get: { success, bot },
  update: { success, bot: { ...bot, outsideHours: 'away' } },
  delete: { success },
  activate: { success, bot },
  pause: { success, bot: { ...bot, status: 'paused' } },
  ask: {
    success,
    kind: 'answer',
    text: openingHours.answer,
    lang: 'en',
    by: 'built-in',
    sources: [{ answerId: openingHours.id, question: 'What are your opening hours?', score: 0.57 }],
  },
  answers: { success, ...page, answers: [openingHours] },
  addAnswer: { success, answer: openingHours },
  importAnswers: { success, created: 1 },
  changeAnswer: { success, answer: { ...openingHours, enabled: false } },
  removeAnswer: { success },
  reviews: { success, ...page, reviews: [review] },
  resolveReview: { success, review: { ...review, status: 'resolved', answer: reviewAnswer, resolvedAt: now } },
  conversations: { success, ...page, conversations: [{ ...conversation, state: 'person' }] },
  conversation: {
    success,
    conversation,
    turns: [
      {
        at: now,
        question: 'What time do you open?',
        kind: 'answer',
        said: openingHours.answer,
        answerId: openingHours.id,
        score: 0.57,
        messageId: '01a1a0be-0340-7a0b-8c2d-b5c6d7e8f901',
      },
    ],
  },
  takeOver: { success, conversation: { ...conversation, state: 'person', personUntil: '2026-11-03T10:30:00.000Z' } },
  giveBack: { success, conversation },
  products: { success, ...page, products: [pizza] },
  addProduct: { success, product: pizza },
  importProducts: { success, created: 1 },
  changeProduct: { success, product: { ...pizza, price: 10.5 } },
  removeProduct: { success },
  orders: { success, ...page, orders: [botOrder] },
  order: { success, order: botOrder },
  changeOrder: { success, order: confirmed, notified: true },
  orderPhones: { success, orderPhones: [orderPhone] },
  addOrderPhone: { success, orderPhone },
  removeOrderPhone: { success },
} as const satisfies Outputs
