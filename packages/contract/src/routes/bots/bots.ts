import * as z from 'zod'
import { adminEndpoints as endpoints } from '../../admin-endpoints.ts'
import { ok } from '../../model/envelope.ts'
import { count } from '../../model/fields.ts'
import { type Covers, route } from '../../route.ts'
import { bot, botFields, botParams, changeBots, newBot, readBots } from './bot-records.ts'
import { conversationRoutes } from './conversations.ts'
import { knowledgeRoutes } from './knowledge.ts'
import { shopRoutes } from './shop.ts'

const params = z.object(botParams)

const botRoutes = {
  /** Returns the assistants of the organization, the oldest first. There are at most 20. */
  list: route(endpoints.bots.list, {
    summary: 'List assistants',
    access: readBots,
    status: 200,
    response: ok({ bots: z.array(bot).describe('The assistants.') }),
    errors: [],
  }),

  /**
   * Creates an assistant as a draft, which answers no one until it is activated. FORBIDDEN_ACTION beyond 20. A shop
   * needs Shop (PRODUCT_REQUIRED). For owners, admins and the account key.
   */
  create: route(endpoints.bots.create, {
    summary: 'Create an assistant',
    access: changeBots,
    body: newBot,
    status: 201,
    response: ok({ bot }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
  }),

  /** Returns what the assistants did this month (UTC), and how much of the AI allowance is used. */
  usage: route(endpoints.bots.usage, {
    summary: 'Get the usage of assistants',
    access: readBots,
    status: 200,
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
    errors: [],
  }),

  /** Returns one assistant. */
  get: route(endpoints.bots.get, {
    summary: 'Get an assistant',
    access: readBots,
    params,
    status: 200,
    response: ok({ bot }),
    errors: ['NOT_FOUND'],
  }),

  /**
   * Changes an assistant; omitted fields keep their values. NUMBER_ON_OTHER_ASSISTANT for a number on which another
   * active assistant answers, while this one is active. FORBIDDEN_ACTION for another currency once there is an order,
   * and for an active assistant without a number. For owners, admins and the account key.
   */
  update: route(endpoints.bots.update, {
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
    status: 200,
    response: ok({ bot }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION', 'NUMBER_ON_OTHER_ASSISTANT'],
  }),

  /**
   * Deletes an assistant with everything it knows. FORBIDDEN_ACTION while it is active. For owners, admins and the
   * account key.
   */
  delete: route(endpoints.bots.delete, {
    summary: 'Delete an assistant',
    access: changeBots,
    params,
    status: 200,
    response: ok({}),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION'],
  }),

  /**
   * Activates an assistant: it answers private messages on its numbers. FORBIDDEN_ACTION without a number, or for a
   * shop without a currency. For owners, admins and the account key.
   */
  activate: route(endpoints.bots.activate, {
    summary: 'Activate an assistant',
    access: changeBots,
    params,
    status: 200,
    response: ok({ bot }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION', 'NUMBER_ON_OTHER_ASSISTANT'],
  }),

  /** Pauses an assistant: it says nothing until it is activated again. For owners, admins and the account key. */
  pause: route(endpoints.bots.pause, {
    summary: 'Pause an assistant',
    access: changeBots,
    params,
    status: 200,
    response: ok({ bot }),
    errors: ['NOT_FOUND'],
  }),
}

export const bots = {
  ...botRoutes,
  ...knowledgeRoutes,
  ...conversationRoutes,
  ...shopRoutes,
} satisfies Covers<typeof endpoints.bots>
