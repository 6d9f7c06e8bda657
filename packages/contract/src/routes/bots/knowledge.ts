import * as z from 'zod'
import * as example from '../../examples/assistants.ts'
import * as cast from '../../examples/cast.ts'
import { reviewStatuses } from '../../model/assistant.ts'
import { named, ok } from '../../model/envelope.ts'
import { at, atOrNull, hasLetter, pageOf, pageQuery, person, text, unique, uuid } from '../../model/fields.ts'
import { limits } from '../../model/limits.ts'
import { route } from '../../route.ts'
import { botParams, changeBots, language, readBots } from './bot-records.ts'

const bounds = limits.bots

const questionText = text(1, bounds.question).refine(hasLetter, 'must have a letter or a digit')
const answerFields = {
  questions: unique(z.array(questionText).min(1).max(bounds.questions)).describe('1 to 10 ways to ask it.'),
  answer: text(1, limits.message).regex(/\S/, 'must not be only white space').describe('The answer.'),
  lang: language.describe('The language of the questions and the answer.'),
  enabled: z.boolean().describe('Whether it is given.'),
}
const newAnswer = named('NewBotAnswer', 'Questions with their answer.', {
  ...answerFields,
  lang: answerFields.lang.optional().describe("The language (default: the assistant's first)."),
  enabled: answerFields.enabled.default(true),
})

const answer = named('BotAnswer', 'An answer that people wrote, with the questions it belongs to.', {
  id: z.uuid().describe('The answer.'),
  questions: z.array(z.string()).describe('Ways to ask it.'),
  answer: z.string().describe('The answer.'),
  lang: z.string().describe('The language of the questions and the answer.'),
  enabled: z.boolean().describe('Whether it is given.'),
  createdAt: at('When it was written.'),
  updatedAt: at('When it was last changed.'),
})
export type BotAnswer = z.infer<typeof answer>

const review = named('BotReview', 'A question that an assistant left to a person.', {
  id: z.uuid().describe('The review.'),
  conversationId: z.uuid().describe('The conversation it was in.'),
  contactPhone: person.describe('Who asked.'),
  question: z.string().describe('What that person wrote.'),
  lang: z.string().nullable().describe('The language of the question, or null.'),
  reason: z
    .enum(['away', 'ai_quota', 'late', 'no_sender', 'failed'])
    .nullable()
    .describe(
      'away: outside business hours; ai_quota: the AI allowance is used up; late: it came out of an outage; ' +
        'no_sender: no number or trial message was left; failed: internal errors. Null: no answer was known.',
    ),
  status: z.enum(reviewStatuses).describe('Whether it is open.'),
  answer: z.string().nullable().describe('What a person answered.'),
  createdAt: at('When it was left to a person.'),
  resolvedAt: atOrNull('When it was resolved or dismissed.'),
})
export type BotReview = z.infer<typeof review>

const answerParams = z.object({ ...botParams, answerId: uuid.describe('The answer.') })

/** The routes of what an assistant knows, and of what it did not know. */
export const knowledgeRoutes = {
  /**
   * Returns what the assistant would say to a question, with scores and sources. Nothing is sent or stored. A failing
   * model is reported by AI_BUSY or AI_UNAVAILABLE, a used-up allowance by AI_QUOTA_EXCEEDED; customers get the
   * built-in ranking instead.
   */
  ask: route('POST /bots/:botId/ask', {
    summary: 'Try a question',
    access: readBots,
    params: z.object(botParams),
    body: z.object({
      question: text(1, bounds.asked).regex(/\S/, 'must not be only white space').describe('The question.'),
      lang: language.optional().describe('Its language (default: detected among those of the assistant).'),
    }),
    response: ok({
      kind: z.enum(['answer', 'choose', 'unknown', 'person']).describe('What it would do.'),
      text: z.string().describe('What it would say.'),
      lang: z.string().describe('The language of the question.'),
      by: z.enum(['built-in', 'http']).describe('What decided: the built-in ranking or a model.'),
      sources: z
        .array(
          z.object({
            answerId: z.uuid().describe('A stored answer.'),
            question: z.string().describe('Its nearest question.'),
            score: z.number().describe('How near it is, from 0 to 1.'),
          }),
        )
        .describe('The nearest stored answers, the best first.'),
    }),
    errors: ['NOT_FOUND', 'AI_QUOTA_EXCEEDED', 'AI_UNAVAILABLE', 'AI_BUSY'],
    // A model has 20 s to respond, and a second attempt.
    reads: true,
    timeoutMs: 60_000,
    example: {
      input: { botId: example.botId, question: 'what time do you open' },
      output: {
        kind: 'answer',
        text: example.openingHours.answer,
        lang: 'en',
        by: 'built-in',
        sources: [{ answerId: example.openingHours.id, question: 'What are your opening hours?', score: 0.57 }],
      },
    },
    msgctl: `msgctl bots ask ${example.botId} "what time do you open"`,
  }),

  /** Returns the answers of an assistant, the oldest first. */
  answers: route('GET /bots/:botId/answers', {
    summary: 'List the answers of an assistant',
    access: readBots,
    params: z.object(botParams),
    query: z.object({ ...pageQuery }),
    response: ok({ ...pageOf, answers: z.array(answer).describe('The answers of this page.') }),
    errors: ['NOT_FOUND'],
    example: {
      input: { botId: example.botId },
      output: { total: 1, page: 1, limit: 50, answers: [example.openingHours] },
    },
    msgctl: `msgctl bots answers list ${example.botId}`,
  }),

  /**
   * Adds an answer with 1 to 10 ways to ask for it. CONFLICT when the assistant has one of the questions already in
   * this language; FORBIDDEN_ACTION quota_reached beyond 500 answers, or beyond 200,000 characters of all questions
   * together. For owners, admins and the account key.
   */
  addAnswer: route('POST /bots/:botId/answers', {
    summary: 'Add an answer',
    access: changeBots,
    params: z.object(botParams),
    body: newAnswer,
    status: 201,
    response: ok({ answer }),
    errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN_ACTION'],
    idempotent: true,
    example: {
      input: {
        botId: example.botId,
        questions: [...example.openingHours.questions],
        answer: example.openingHours.answer,
      },
      output: { answer: example.openingHours },
    },
    msgctl: `msgctl bots answers add ${example.botId} "${example.openingHours.answer}" \\
  --question "${example.openingHours.questions[0]}"`,
  }),

  /**
   * Adds 1 to 500 answers, all or none. A question that stands twice is a fault of its row; one that the assistant has
   * already is a CONFLICT. FORBIDDEN_ACTION as for a single answer. For owners, admins and the account key.
   */
  importAnswers: route('POST /bots/:botId/answers/import', {
    summary: 'Import answers',
    access: changeBots,
    params: z.object(botParams),
    body: z.object({ rows: z.array(newAnswer).min(1).max(bounds.answers).describe('1 to 500 answers.') }),
    status: 201,
    response: ok({ created: z.int().min(1).describe('The number of answers that were created.') }),
    errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN_ACTION'],
    bulk: true,
    idempotent: true,
    example: {
      input: {
        botId: example.botId,
        rows: [{ questions: [...example.openingHours.questions], answer: example.openingHours.answer }],
      },
      output: { created: 1 },
    },
  }),

  /**
   * Changes an answer; omitted fields keep their values. FORBIDDEN_ACTION quota_reached when its questions become
   * longer and all questions together exceed 200,000 characters. For owners, admins and the account key.
   */
  changeAnswer: route('PUT /bots/:botId/answers/:answerId', {
    summary: 'Change an answer',
    access: changeBots,
    params: answerParams,
    body: z.object({
      questions: answerFields.questions.optional(),
      answer: answerFields.answer.optional(),
      lang: answerFields.lang.optional(),
      enabled: answerFields.enabled.optional(),
    }),
    response: ok({ answer }),
    errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN_ACTION'],
    example: {
      input: { botId: example.botId, answerId: example.openingHours.id, enabled: false },
      output: { answer: { ...example.openingHours, enabled: false } },
    },
  }),

  /** Removes an answer with its questions. For owners, admins and the account key. */
  removeAnswer: route('DELETE /bots/:botId/answers/:answerId', {
    summary: 'Remove an answer',
    access: changeBots,
    params: answerParams,
    response: ok({}),
    errors: ['NOT_FOUND'],
    example: { input: { botId: example.botId, answerId: example.openingHours.id }, output: {} },
    msgctl: `msgctl bots answers remove ${example.botId} ${example.openingHours.id}`,
  }),

  /** Returns the questions that were left to a person, the latest first. */
  reviews: route('GET /bots/:botId/reviews', {
    summary: 'List questions left to a person',
    access: readBots,
    params: z.object(botParams),
    query: z.object({
      status: z.enum(reviewStatuses).optional().describe('Only reviews in this state.'),
      ...pageQuery,
    }),
    response: ok({ ...pageOf, reviews: z.array(review).describe('The reviews of this page.') }),
    errors: ['NOT_FOUND'],
    example: {
      input: { botId: example.botId, status: 'open' },
      output: { total: 1, page: 1, limit: 50, reviews: [example.review] },
    },
    msgctl: `msgctl bots reviews list ${example.botId} --status open`,
  }),

  /**
   * Closes a review: sends the answer to the person who asked and learns it, or dismisses it. With `learn` the question
   * joins the answer `answerId`, else the one with the same text, else a new one. NO_SESSION_CONFIGURED when no number
   * can send. For owners, admins and the account key.
   */
  resolveReview: route('POST /bots/:botId/reviews/:reviewId/resolve', {
    summary: 'Resolve a review',
    access: changeBots,
    params: z.object({ ...botParams, reviewId: uuid.describe('The review.') }),
    body: z
      .object({
        answer: answerFields.answer.optional(),
        answerId: uuid.optional().describe('The stored answer that the question belongs to.'),
        send: z.boolean().default(true).describe('Whether the answer is sent to the person who asked.'),
        learn: z.boolean().default(true).describe('Whether the assistant knows it from now on.'),
        dismiss: z.literal(true).optional().describe('Close it without an answer.'),
      })
      .refine(({ answer, answerId, dismiss }) => (dismiss ? answer === undefined && answerId === undefined : true), {
        error: 'must not stand beside an answer',
        path: ['dismiss'],
      })
      .refine(({ answer, answerId, dismiss }) => dismiss || answer !== undefined || answerId !== undefined, {
        error: 'must be given, or answerId, or dismiss',
        path: ['answer'],
      }),
    response: ok({ review }),
    errors: ['NOT_FOUND', 'FORBIDDEN_ACTION', 'NO_SESSION_CONFIGURED', 'TRIAL_LIMIT_REACHED', 'CONFLICT'],
    sends: 'queued',
    idempotent: true,
    example: {
      input: { botId: example.botId, reviewId: example.reviewId, answer: example.reviewAnswer },
      output: { review: { ...example.review, status: 'resolved', answer: example.reviewAnswer, resolvedAt: cast.now } },
    },
    msgctl: `msgctl bots reviews resolve ${example.botId} ${example.reviewId} \\
  --answer "${example.reviewAnswer}"`,
  }),
}
