import * as z from 'zod'
import * as example from '../../examples/assistants.ts'
import * as cast from '../../examples/cast.ts'
import { conversationStates, turnKinds } from '../../model/assistant.ts'
import { named, ok } from '../../model/envelope.ts'
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
const conversation = named('BotConversation', 'A conversation of an assistant with one person.', conversationFields)

const turn = named('BotTurn', 'A question in a conversation, and what the assistant did with it.', {
  at: at('When the assistant took it up.'),
  question: z.string().describe('What the person wrote.'),
  kind: z.enum(turnKinds).describe('What the assistant did.'),
  said: z.string().nullable().describe('What it said; null for nothing.'),
  answerId: z.uuid().nullable().describe('The stored answer that it gave.'),
  score: z.number().nullable().describe('How near the best stored answer was, from 0 to 1.'),
  messageId: z.uuid().nullable().describe('The message that it sent.'),
})

const params = z.object({ ...botParams, conversationId: uuid.describe('The conversation.') })

/** The routes of conversations. */
export const conversationRoutes = {
  /** Returns the conversations of an assistant, the latest first. */
  conversations: route('GET /bots/:botId/conversations', {
    summary: 'List conversations',
    access: readBots,
    params: z.object(botParams),
    query: z.object({
      state: z.enum(conversationStates).optional().describe('Only conversations in this state that have not ended.'),
      ...pageQuery,
    }),
    response: ok({ ...pageOf, conversations: z.array(conversation).describe('The conversations of this page.') }),
    errors: ['NOT_FOUND'],
    example: {
      input: { botId: example.botId, state: 'person' },
      output: { total: 1, page: 1, limit: 50, conversations: [{ ...example.conversation, state: 'person' }] },
    },
    msgctl: `msgctl bots conversations list ${example.botId} --state person`,
  }),

  /** Returns one conversation with its last 200 turns, oldest first. Turns are kept for 90 days. */
  conversation: route('GET /bots/:botId/conversations/:conversationId', {
    summary: 'Get a conversation',
    access: readBots,
    params,
    response: ok({ conversation, turns: z.array(turn).describe('What was asked, and what the assistant did.') }),
    errors: ['NOT_FOUND'],
    example: {
      input: { botId: example.botId, conversationId: example.conversationId },
      output: {
        conversation: example.conversation,
        turns: [
          {
            at: cast.now,
            question: 'What time do you open?',
            kind: 'answer',
            said: example.openingHours.answer,
            answerId: example.openingHours.id,
            score: 0.57,
            messageId: '01a1a0be-0340-7a0b-8c2d-b5c6d7e8f901',
          },
        ],
      },
    },
    msgctl: `msgctl bots conversations show ${example.botId} ${example.conversationId}`,
  }),

  /**
   * Silences the assistant in a conversation for the pause of the assistant, as a message written on the phone does.
   * FORBIDDEN_ACTION once it ended. For owners, admins and the account key.
   */
  takeOver: route('POST /bots/:botId/conversations/:conversationId/take-over', {
    summary: 'Take a conversation over',
    access: changeBots,
    params,
    response: ok({ conversation }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    example: {
      input: { botId: example.botId, conversationId: example.conversationId },
      output: { conversation: { ...example.conversation, state: 'person', personUntil: '2026-11-03T10:30:00.000Z' } },
    },
    msgctl: `msgctl bots conversations take-over ${example.botId} ${example.conversationId}`,
  }),

  /**
   * Gives a conversation back to the assistant. FORBIDDEN_ACTION once it ended. For owners, admins and the account key.
   */
  giveBack: route('POST /bots/:botId/conversations/:conversationId/give-back', {
    summary: 'Give a conversation back',
    access: changeBots,
    params,
    response: ok({ conversation }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    example: {
      input: { botId: example.botId, conversationId: example.conversationId },
      output: { conversation: example.conversation },
    },
    msgctl: `msgctl bots conversations give-back ${example.botId} ${example.conversationId}`,
  }),
}
