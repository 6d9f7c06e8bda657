import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerAnswers } from './answers.ts'
import { registerAsk } from './ask.ts'
import { registerBot } from './bot.ts'
import { registerConversations } from './conversations.ts'
import { registerOrders } from './orders.ts'
import { registerPhones } from './phones.ts'
import { registerProducts } from './products.ts'
import { registerReviews } from './reviews.ts'
import { registerTry } from './try.ts'
import { registerWatch } from './watch.ts'

export function register(bots: Command, run: Run): void {
  registerBot(bots, run)
  registerAsk(bots, run)
  registerTry(bots, run)
  registerWatch(bots, run)
  registerAnswers(bots, run)
  registerReviews(bots, run)
  registerConversations(bots, run)
  registerProducts(bots, run)
  registerOrders(bots, run)
  registerPhones(bots, run)
}
