import * as z from 'zod'
import * as example from '../../examples/assistants.ts'
import * as cast from '../../examples/cast.ts'
import { ok } from '../../model/envelope.ts'
import { count } from '../../model/fields.ts'
import { route } from '../../route.ts'
import { bot, botFields, botParams, changeBots, newBot, readBots } from './bot-records.ts'
import { conversationRoutes } from './conversations.ts'
import { knowledgeRoutes } from './knowledge.ts'
import { shopRoutes } from './shop.ts'

const params = z.object(botParams)

const botRoutes = {
  /** Returns the assistants of the organization, the oldest first. There are at most 20. */
  list: route('GET /bots', {
    summary: 'List assistants',
    access: readBots,
    response: ok({ bots: z.array(bot).describe('The assistants.') }),
    example: { output: { bots: [example.bot] } },
    msgctl: 'msgctl bots list',
  }),

  /**
   * Creates an assistant as a draft, which answers no one until it is activated. FORBIDDEN_ACTION beyond 20. A shop
   * needs Shop (PRODUCT_REQUIRED). For owners, admins and the account key.
   */
  create: route('POST /bots', {
    summary: 'Create an assistant',
    access: changeBots,
    body: newBot,
    status: 201,
    response: ok({ bot }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    idempotent: true,
    example: {
      input: { name: example.bot.name, containerIds: [...example.bot.containerIds], languages: ['en'] },
      output: {
        bot: { ...example.bot, status: 'draft', answers: 0, texts: {}, hours: null, personWords: [], shop: null },
      },
    },
    msgctl: `msgctl bots create "${example.bot.name}" --numbers ${cast.support.label} --languages en`,
  }),

  /** Returns what the assistants did this month (UTC), and how much of the AI allowance is used. */
  usage: route('GET /bots/usage', {
    summary: 'Get the usage of assistants',
    access: readBots,
    response: ok({
      month: z.string().describe('The month, like 2026-11.'),
      limitUsd: z.number().describe('The AI allowance in US dollars: of the month, or of the whole trial.'),
      usedUsd: z.number().describe('How much of it is used.'),
      renewsAt: z.iso.datetime().nullable().describe('When it is renewed; null on trial.'),
      questions: count('Questions this month.'),
      answered: count('Questions that got an answer.'),
      chosen: count('Questions answered after the person chose from a list.'),
      unanswered: count('Questions left to a person.'),
      handoffs: count('Conversations handed to a person.'),
      orders: count('Orders placed.'),
    }),
    example: {
      output: {
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
    },
    msgctl: 'msgctl bots usage',
  }),

  /** Returns one assistant. */
  get: route('GET /bots/:botId', {
    summary: 'Get an assistant',
    access: readBots,
    params,
    response: ok({ bot }),
    errors: ['NOT_FOUND'],
    example: { input: { botId: example.botId }, output: { bot: example.bot } },
    msgctl: `msgctl bots show ${example.botId}`,
  }),

  /**
   * Changes an assistant; omitted fields keep their values. NUMBER_ON_OTHER_ASSISTANT for a number on which another
   * active assistant answers, while this one is active. FORBIDDEN_ACTION for another currency once there is an order,
   * and for an active assistant without a number. For owners, admins and the account key.
   */
  update: route('PUT /bots/:botId', {
    summary: 'Change an assistant',
    access: changeBots,
    params,
    body: z.object({
      name: botFields.name.optional(),
      containerIds: botFields.containerIds.optional(),
      languages: botFields.languages.optional(),
      texts: botFields.texts.optional(),
      instructions: botFields.instructions.optional(),
      hours: botFields.hours.optional(),
      outsideHours: botFields.outsideHours.optional(),
      personWords: botFields.personWords.optional(),
      humanPauseMinutes: botFields.humanPauseMinutes.optional(),
      shop: botFields.shop.optional(),
    }),
    response: ok({ bot }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION', 'NUMBER_ON_OTHER_ASSISTANT'],
    example: {
      input: { botId: example.botId, outsideHours: 'away' },
      output: { bot: { ...example.bot, outsideHours: 'away' } },
    },
    msgctl: `msgctl bots edit ${example.botId} --outside-hours away`,
  }),

  /**
   * Deletes an assistant with everything it knows. FORBIDDEN_ACTION while it is active. For owners, admins and the
   * account key.
   */
  delete: route('DELETE /bots/:botId', {
    summary: 'Delete an assistant',
    access: changeBots,
    params,
    response: ok({}),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
    example: { input: { botId: example.botId }, output: {} },
    msgctl: `msgctl bots delete ${example.botId}`,
  }),

  /**
   * Activates an assistant: it answers private messages on its numbers. FORBIDDEN_ACTION without a number, or for a
   * shop without a currency. For owners, admins and the account key.
   */
  activate: route('POST /bots/:botId/activate', {
    summary: 'Activate an assistant',
    access: changeBots,
    params,
    response: ok({ bot }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION', 'NUMBER_ON_OTHER_ASSISTANT'],
    example: { input: { botId: example.botId }, output: { bot: example.bot } },
    msgctl: `msgctl bots activate ${example.botId}`,
  }),

  /** Pauses an assistant: it says nothing until it is activated again. For owners, admins and the account key. */
  pause: route('POST /bots/:botId/pause', {
    summary: 'Pause an assistant',
    access: changeBots,
    params,
    response: ok({ bot }),
    errors: ['NOT_FOUND'],
    example: { input: { botId: example.botId }, output: { bot: { ...example.bot, status: 'paused' } } },
    msgctl: `msgctl bots pause ${example.botId}`,
  }),
}

export const bots = {
  ...botRoutes,
  ...knowledgeRoutes,
  ...conversationRoutes,
  ...shopRoutes,
}
