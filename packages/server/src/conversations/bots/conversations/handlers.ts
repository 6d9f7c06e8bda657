import { type Contract, limits } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Handlers } from '#api/http/handler.ts'
import { leaveToPeople } from '#conversations/bots/inbox/offer.ts'
import { hasBot } from '#conversations/bots/knowledge/answer-store.ts'
import { noSuchBot } from '#conversations/bots/knowledge/answers.ts'
import type { OfBot } from '#conversations/bots/orders/shop-store.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import {
  type ConversationRow,
  countConversations,
  findConversation,
  giveToAssistant,
  listConversations,
  listTurns,
} from './list-store.ts'

/** The handlers of conversations. */
export const conversationHandlers = {
  async conversations({ caller, params, query }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    if (!(await hasBot(db, bot))) throw noSuchBot()
    const { page, limit } = query
    const filter = { ...bot, state: query.state ?? null }
    const [total, found] = await Promise.all([
      countConversations(db, filter),
      listConversations(db, filter, { limit, offset: (page - 1) * limit }),
    ])
    return { total, page, limit, conversations: found.map(toConversation) }
  },

  async conversation({ caller, params }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    const conversation = await requireConversation(db, bot, params.conversationId)
    const turns = await listTurns(db, bot.organizationId, conversation.id, limits.bots.turns)
    return {
      conversation: toConversation(conversation),
      turns: turns.map(({ at, ...turn }) => ({ ...turn, at: at.toISOString() })),
    }
  },

  async takeOver({ caller, params }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return transaction(db, async (trx) => {
      const conversation = await requireConversation(trx, bot, params.conversationId)
      if (conversation.closedAt) throw ended()
      const { containerId, contactId } = conversation
      await leaveToPeople(trx, [{ ...bot, containerId, contactId }])
      await recordActivity(trx, {
        organizationId: bot.organizationId,
        actor: toActor(caller),
        action: 'bot.taken_over',
        subject: conversation.id,
      })
      return { conversation: toConversation(await requireConversation(trx, bot, conversation.id)) }
    })
  },

  async giveBack({ caller, params }, { db }) {
    const bot = { organizationId: caller.organizationId, botId: params.botId }
    return transaction(db, async (trx) => {
      const { id } = await requireConversation(trx, bot, params.conversationId)
      if (!(await giveToAssistant(trx, bot, id))) throw ended()
      await recordActivity(trx, {
        organizationId: bot.organizationId,
        actor: toActor(caller),
        action: 'bot.given_back',
        subject: id,
      })
      return { conversation: toConversation(await requireConversation(trx, bot, id)) }
    })
  },
} satisfies Partial<Handlers<Contract['bots']>>

async function requireConversation(db: Db, bot: OfBot, id: string): Promise<ConversationRow> {
  const found = await findConversation(db, bot, id)
  if (!found) throw apiError('NOT_FOUND', 'There is no such conversation.')
  return found
}

function ended() {
  const message = 'The conversation has ended. The next message of this person begins another one.'
  return apiError('FORBIDDEN_ACTION', message, { reason: 'not_open' })
}

function toConversation({ contactId: _contactId, personUntil, startedAt, lastAt, closedAt, ...row }: ConversationRow) {
  return {
    ...row,
    personUntil: row.state === 'person' ? (personUntil?.toISOString() ?? null) : null,
    startedAt: startedAt.toISOString(),
    lastAt: lastAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
  }
}
