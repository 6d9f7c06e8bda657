import * as z from 'zod'
import { adminEndpoints as endpoints } from '../../admin-endpoints.ts'
import { conversationStates, turnKinds } from '../../model/assistant.ts'
import { ok } from '../../model/envelope.ts'
import { at, atOrNull, pageOf, pageQuery, person, uuid } from '../../model/fields.ts'
import { route } from '../../route.ts'
import { botParams, changeBots, readBots } from './bot-records.ts'

const conversationFields = {
  id: z.uuid().describe('The conversation.'),
  containerId: z.uuid().describe('The number it is on.'),
  contactPhone: person.describe('Who writes: digits, or an id ending in `@lid`.'),
  state: z
    .enum(conversationStates)
    .describe('Who answers; ordering: the assistant, with an order that is not placed yet.'),
  lang: z.string().describe('The language it is in.'),
  personUntil: atOrNull('Until when a person answers; null without an end.'),
  startedAt: at('When it began.'),
  lastAt: at('When the last message came.'),
  closedAt: atOrNull('When it ended, after 24 hours of quiet.'),
}
const conversation = z
  .object(conversationFields)
  .meta({ id: 'BotConversation', description: 'A conversation of an assistant with one person.' })

const turn = z
  .object({
    at: at('When the assistant took it up.'),
    question: z.string().describe('What the person wrote.'),
    kind: z.enum(turnKinds).describe('What the assistant did.'),
    said: z.string().nullable().describe('What it said; null for nothing.'),
    answerId: z.uuid().nullable().describe('The stored answer that it gave.'),
    score: z.number().nullable().describe('How near the best stored answer was, from 0 to 1.'),
    messageId: z.uuid().nullable().describe('The message that it sent.'),
  })
  .meta({ id: 'BotTurn', description: 'A question in a conversation, and what the assistant did with it.' })

const params = z.object({ ...botParams, conversationId: uuid.describe('The conversation.') })

/** The routes of conversations. */
export const conversationRoutes = {
  /** Returns the conversations of an assistant, the latest first. */
  conversations: route(endpoints.bots.conversations, {
    summary: 'List conversations',
    access: readBots,
    params: z.object(botParams),
    query: z.object({
      state: z.enum(conversationStates).optional().describe('Only conversations in this state that have not ended.'),
      ...pageQuery,
    }),
    status: 200,
    response: ok({ ...pageOf, conversations: z.array(conversation).describe('The conversations of this page.') }),
    errors: ['NOT_FOUND'],
  }),

  /** Returns one conversation with its last 200 turns, oldest first. Turns are kept for 90 days. */
  conversation: route(endpoints.bots.conversation, {
    summary: 'Get a conversation',
    access: readBots,
    params,
    status: 200,
    response: ok({ conversation, turns: z.array(turn).describe('What was asked, and what the assistant did.') }),
    errors: ['NOT_FOUND'],
  }),

  /**
   * Silences the assistant in a conversation for the pause of the assistant, as a message written on the phone does.
   * FORBIDDEN_ACTION once it ended. For owners, admins and the account key.
   */
  takeOver: route(endpoints.bots.takeOver, {
    summary: 'Take a conversation over',
    access: changeBots,
    params,
    status: 200,
    response: ok({ conversation }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
  }),

  /**
   * Gives a conversation back to the assistant. FORBIDDEN_ACTION once it ended. For owners, admins and the account key.
   */
  giveBack: route(endpoints.bots.giveBack, {
    summary: 'Give a conversation back',
    access: changeBots,
    params,
    status: 200,
    response: ok({ conversation }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
  }),
}
