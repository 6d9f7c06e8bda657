/** The statuses of an assistant. Only an active one speaks. */
export const botStatuses = ['draft', 'active', 'paused'] as const
export type BotStatus = (typeof botStatuses)[number]

/** The statuses of an order. `refused`: the customer did not take it at the door. */
export const orderStatuses = ['placed', 'confirmed', 'shipped', 'delivered', 'cancelled', 'refused'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** The statuses that an order can be moved to from each status. */
export const orderMoves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  placed: ['confirmed', 'cancelled'],
  confirmed: ['shipped', 'cancelled'],
  shipped: ['delivered', 'refused'],
  delivered: [],
  cancelled: [],
  refused: [],
}

/** The statuses of a question that was left to a person. */
export const reviewStatuses = ['open', 'resolved', 'dismissed'] as const
export type ReviewStatus = (typeof reviewStatuses)[number]

/** Who writes in a conversation; `ordering`: the assistant, with an order that is not placed yet. */
export const conversationStates = ['assistant', 'person', 'ordering'] as const
export type ConversationState = (typeof conversationStates)[number]

/** What an assistant did with a question. */
export const turnKinds = [
  'answer',
  'choose',
  'chosen',
  'unknown',
  'handoff',
  'away',
  'order',
  'placed',
  'silent',
  'failed',
] as const
export type TurnKind = (typeof turnKinds)[number]

/** The texts that an assistant must have in each of its languages. */
export const dialogTexts = ['unknown', 'handoff', 'away', 'choose'] as const

/** The texts of a shop, which are in English where a language has none. */
export const shopTexts = [
  'menu',
  'menuMore',
  'menuHint',
  'noProducts',
  'which',
  'quantity',
  'soldOut',
  'fewLeft',
  'cart',
  'cartHint',
  'emptyCart',
  'minimum',
  'delivery',
  'total',
  'askName',
  'askAddress',
  'askNote',
  'keep',
  'summary',
  'cash',
  'confirm',
  'changed',
  'whatToChange',
  'placed',
  'abandoned',
  'orderConfirmed',
  'orderShipped',
  'orderDelivered',
  'orderCancelled',
  'orderRefused',
  'newOrder',
] as const

/** Every text that an assistant can say besides its answers; `greeting` stands before the first answer. */
export const botTextNames = ['greeting', ...dialogTexts, ...shopTexts] as const
export type BotTextName = (typeof botTextNames)[number]

/** The languages that every text exists in; the others need the {@link dialogTexts} from the organization. */
export const standardLanguages = ['en', 'es', 'pt', 'fr', 'de', 'ar'] as const
