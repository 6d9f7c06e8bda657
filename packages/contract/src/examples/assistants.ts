import { jane, now, support } from './cast.ts'

/** The assistant of the shop, with what it knows and sells. */
export const botId = '01a10b30-5f20-77d8-98fa-6f718293a4b5'
export const conversationId = '01a1a0be-0320-78e9-8a0b-718293a4b5c6'
export const reviewId = '01a1a0be-0330-79fa-9b1c-8293a4b5c6d7'

export const openingHours = {
  id: '01a10b30-6f30-7a0b-8c2d-93a4b5c6d7e8',
  questions: ['When are you open?', 'What are your opening hours?'],
  answer: 'We are open from Monday to Friday, 9 to 5.',
  lang: 'en',
  enabled: true,
  createdAt: now,
  updatedAt: now,
} as const

export const pizza = {
  id: '01a10b30-7f40-7b1c-9d3e-a4b5c6d7e8f9',
  sku: 'P-1',
  name: 'Pizza Margherita',
  description: 'Tomato, mozzarella, basil',
  price: 9.5,
  stock: 20,
  available: true,
  position: 1,
  createdAt: now,
  updatedAt: now,
} as const

export const bot = {
  id: botId,
  name: 'Front desk',
  status: 'active',
  containerIds: [support.containerId],
  languages: ['en'],
  texts: { en: { greeting: 'Welcome to Example Shop!' } },
  instructions: '',
  hours: {
    timeZone: 'Europe/Berlin',
    week: [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '17:00' })),
    closed: ['2026-12-25'],
  },
  outsideHours: 'answer',
  personWords: ['manager'],
  humanPauseMinutes: 60,
  shop: {
    enabled: true,
    currency: 'EUR',
    deliveryFee: 2,
    minimumOrder: 10,
    askName: true,
    askAddress: true,
    askNote: false,
  },
  answers: 1,
  notice: null,
  createdAt: now,
  updatedAt: now,
} as const

export const reviewAnswer = 'Yes, on Sundays from 12 to 6.'

export const review = {
  id: reviewId,
  conversationId,
  contactPhone: jane.phone,
  question: 'Do you deliver on Sundays?',
  lang: 'en',
  reason: null,
  status: 'open',
  answer: null,
  createdAt: now,
  resolvedAt: null,
} as const

export const conversation = {
  id: conversationId,
  containerId: support.containerId,
  contactPhone: jane.phone,
  state: 'assistant',
  lang: 'en',
  personUntil: null,
  startedAt: now,
  lastAt: now,
  closedAt: null,
} as const

export const botOrder = {
  orderNumber: '1042',
  status: 'placed',
  contactPhone: jane.phone,
  containerId: support.containerId,
  conversationId,
  lines: [{ productId: pizza.id, name: pizza.name, price: 9.5, quantity: 2 }],
  deliveryFee: 2,
  total: 21,
  currency: 'EUR',
  name: jane.name,
  address: '1 Example Street',
  note: null,
  history: [{ at: now, status: 'placed', note: null }],
  placedAt: now,
  updatedAt: now,
} as const

/** The order after the shop confirmed it. */
export const confirmedOrder = {
  ...botOrder,
  status: 'confirmed',
  history: [...botOrder.history, { at: now, status: 'confirmed', note: null }],
} as const

export const orderPhone = { phone: '12025550177', name: 'Kitchen', createdAt: now } as const
