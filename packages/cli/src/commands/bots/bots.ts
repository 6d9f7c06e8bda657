import { verbs } from '../../program.ts'
import { answersVerbs } from './answers.ts'
import { askVerbs } from './ask.ts'
import { botVerbs } from './bot.ts'
import { conversationsVerbs } from './conversations.ts'
import { ordersVerbs } from './orders.ts'
import { phonesVerbs } from './phones.ts'
import { productsVerbs } from './products.ts'
import { reviewsVerbs } from './reviews.ts'
import { tryVerb } from './try.ts'
import { watchVerb } from './watch.ts'

export const register = verbs(
  botVerbs,
  askVerbs,
  tryVerb,
  watchVerb,
  answersVerbs,
  reviewsVerbs,
  conversationsVerbs,
  productsVerbs,
  ordersVerbs,
  phonesVerbs,
)
