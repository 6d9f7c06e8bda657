import type { TurnKind } from '@msgctl/contract'
import type { Decision } from '#conversations/bots/knowledge/decide.ts'
import type { Understood } from '#conversations/bots/model/model.ts'
import type { Catalogue, Draft, Intent, Placement, Said } from '#conversations/bots/orders/draft.ts'
import { isAsking, isOrdering, moveOrder, repeatStep } from '#conversations/bots/orders/order-machine.ts'
import { readIntent } from '#conversations/bots/orders/read-intent.ts'
import { hasOneOf, isOneOf, isQuestion, normalize, wordsOf } from '#conversations/bots/texts/languages.ts'
import { countSpoken } from './loop-guard.ts'

/** A stored answer that was offered as a numbered choice. */
export interface Choice {
  readonly answerId: string
  readonly question: string
}

/** What an assistant remembers of a conversation. */
export interface Conversation {
  readonly lang: string
  readonly state: 'assistant' | 'person'
  readonly greeted: boolean
  /** Failures to answer in a row. */
  readonly failures: number
  readonly choices: readonly Choice[]
  readonly awaySaidAtMs: number | null
  /** When it spoke within the last hour, and when an order moved. */
  readonly saidAtMs: readonly number[]
  readonly stepsAtMs: readonly number[]
  readonly draft: Draft
}

/** The rules of an assistant, as far as a turn depends on them. */
export interface BotRules {
  readonly hasGreeting: boolean
  readonly outsideHours: 'answer' | 'away'
  readonly personWords: readonly string[]
}

/** What a person wrote, in the language that was recognized. */
export interface Incoming {
  readonly text: string
  readonly isPlace: boolean
  readonly lang: string
}

/** What a model made of a question. */
type ModelResult =
  | { readonly is: 'understood'; readonly understood: Understood }
  /** The allowance is used up, or the model failed: the built-in ranking answers. */
  | { readonly is: 'quota' }
  | { readonly is: 'failed' }

/** The facts that a turn depends on besides the conversation. */
export interface Facts {
  readonly nowMs: number
  /** Whether people are there. */
  readonly open: boolean
  readonly decision: Decision
  readonly score: number | null
  /** The texts of the stored answers that can be given, by id. */
  readonly answers: ReadonlyMap<string, string>
  /** `none`: there is no model; `available`: it has not been queried. */
  readonly model: 'none' | 'available' | ModelResult
  /** Null without a shop. */
  readonly catalogue: Catalogue | null
  readonly hasPlacedOrder: boolean
}

/** What an assistant does with a question. */
export interface Turn {
  readonly conversation: Conversation
  readonly kind: TurnKind
  readonly says: readonly Said[]
  readonly answerId: string | null
  /** Left to a person: stored as a review and reported as bot.needs_review. */
  readonly review: { readonly reason: 'away' | 'ai_quota' | null } | null
  /** Handed to a person: reported as bot.handoff. */
  readonly handoff: { readonly reason: 'away' | null } | null
  readonly place: Placement | null
}

/** A turn that depends on the model: query it, and repeat the turn with its result. */
export const needsModel = 'needs-model'

const awayAgainMs = 12 * 3600_000
const maxFailures = 3

/** Returns what to do with a question, or {@link needsModel}. A pure function. */
export function takeTurn(
  before: Conversation,
  bot: BotRules,
  incoming: Incoming,
  facts: Facts,
): Turn | typeof needsModel {
  const conversation = { ...before, lang: incoming.lang }
  if (incoming.isPlace && conversation.draft.step !== 'address') return silent(conversation)
  if (!facts.open && bot.outsideHours === 'away') return sayAway(conversation, facts)
  const chosen = chosenAnswer(conversation, incoming, facts)
  if (chosen) return chosen
  if (asksForPerson(bot, incoming) && !isAsking(conversation.draft.step)) return handOver(conversation, facts)
  const ordered = takeOrderStep(conversation, incoming, facts)
  if (ordered) return ordered
  return answerQuestion(conversation, bot, facts)
}

/** Returns whether a text asks for a person, in the words of its language or of the assistant. */
export function asksForPerson(
  { personWords }: Pick<BotRules, 'personWords'>,
  { text, lang }: Pick<Incoming, 'text' | 'lang'>,
): boolean {
  const { person } = wordsOf(lang)
  const said = normalize(text)
  return isOneOf(said, person) || hasOneOf(said, [...personWords, ...person.filter(isPhrase)])
}

const isPhrase = (word: string) => word.includes(' ')

function silent(conversation: Conversation): Turn {
  return { ...nothing(conversation), kind: 'silent' }
}

function nothing(conversation: Conversation): Omit<Turn, 'kind'> {
  return { conversation, says: [], answerId: null, review: null, handoff: null, place: null }
}

/** Returns the turn that says that the business is closed, once in 12 hours, and leaves the question to a person. */
function sayAway(conversation: Conversation, { nowMs }: Facts): Turn {
  const { awaySaidAtMs } = conversation
  const isSaid = awaySaidAtMs !== null && nowMs - awaySaidAtMs < awayAgainMs
  return {
    ...nothing(isSaid ? conversation : { ...conversation, awaySaidAtMs: nowMs }),
    kind: 'away',
    says: isSaid ? [] : [{ text: 'away' }],
    review: { reason: 'away' },
  }
}

/** Hands the conversation to a person, who is silent outside business hours. */
function handOver(conversation: Conversation, { open }: Facts): Turn {
  return {
    ...nothing({ ...conversation, state: 'person', failures: 0, choices: [] }),
    kind: 'handoff',
    says: [{ text: open ? 'handoff' : 'away' }],
    handoff: { reason: open ? null : 'away' },
  }
}

/** Counts that the assistant speaks. Beyond the bound of the loop guard, a person takes over instead. */
function speak(turn: Turn, facts: Facts, what: 'answers' | 'orderSteps'): Turn {
  const { conversation } = turn
  const counted = countSpoken(what === 'answers' ? conversation.saidAtMs : conversation.stepsAtMs, facts.nowMs, what)
  if (!counted) return handOver(conversation, facts)
  const spoken = what === 'answers' ? { saidAtMs: counted } : { stepsAtMs: counted }
  return { ...turn, conversation: { ...conversation, ...spoken } }
}

/** Gives the answer of a choice whose number was sent. */
function chosenAnswer(conversation: Conversation, { text }: Incoming, facts: Facts): Turn | null {
  const { choices } = conversation
  const number = /^\d$/.test(normalize(text)) ? Number(normalize(text)) : null
  const choice = number === null ? undefined : choices[number - 1]
  const answer = choice && facts.answers.get(choice.answerId)
  if (!choice || answer === undefined) return null
  const after = { ...conversation, choices: [], failures: 0 }
  const turn = { ...nothing(after), kind: 'chosen', says: [{ words: answer }], answerId: choice.answerId } as const
  return speak(withOpenStep(turn, facts), facts, 'answers')
}

/** Repeats the open step of an order behind an answer. */
function withOpenStep(turn: Turn, { catalogue }: Facts): Turn {
  const { draft } = turn.conversation
  if (!catalogue || !isOrdering(draft)) return turn
  const step = repeatStep(draft, catalogue)
  return {
    ...turn,
    conversation: { ...turn.conversation, draft: step.draft },
    says: [...turn.says, ...(step.says.length > 0 ? [{ words: '' }] : []), ...step.says],
  }
}

function takeOrderStep(conversation: Conversation, incoming: Incoming, facts: Facts): Turn | null {
  const { catalogue } = facts
  if (!catalogue) return null
  const { draft } = conversation
  const words = wordsOf(incoming.lang)
  if (!isOrdering(draft) && facts.hasPlacedOrder && isOneOf(normalize(incoming.text), words.cancel)) {
    return handOver(conversation, facts)
  }
  const intent = readIntent(incoming.text, draft, catalogue, words)
  if (!intent || isAnsweredQuestion(draft, intent, incoming, facts)) return null
  return applyIntent(conversation, intent, catalogue, facts)
}

function applyIntent(conversation: Conversation, intent: Intent, catalogue: Catalogue, facts: Facts): Turn {
  const { draft, says, place } = moveOrder(conversation.draft, intent, catalogue)
  const after = { ...conversation, draft, choices: [], failures: 0 }
  const turn = { ...nothing(after), says, kind: place ? 'placed' : 'order', place: place ?? null } as const
  return speak(turn, facts, 'orderSteps')
}

/** Returns whether a text is a question with a known answer, although the customer was asked for a name or the like. */
function isAnsweredQuestion({ step }: Draft, intent: Intent, { text }: Incoming, { decision }: Facts): boolean {
  return isAsking(step) && intent.is === 'text' && isQuestion(text) && decision.kind === 'answer'
}

function answerQuestion(conversation: Conversation, bot: BotRules, facts: Facts): Turn | typeof needsModel {
  const { decision, model } = facts
  if (decision.kind === 'answer') {
    const { answerId } = decision.best
    const answer = facts.answers.get(answerId)
    if (answer !== undefined) return give(conversation, bot, facts, { answer, answerId })
  }
  if (model === 'available') return needsModel
  if (typeof model === 'object' && model.is === 'understood') {
    const turn = followModel(conversation, bot, facts, model.understood)
    if (turn) return turn
  }
  if (decision.kind === 'choose') return offerChoices(conversation, facts, decision.options)
  const isQuota = typeof model === 'object' && model.is === 'quota'
  return doNotKnow(conversation, facts, isQuota ? 'ai_quota' : null)
}

interface Given {
  readonly answer: string
  readonly answerId: string | null
}

function give(conversation: Conversation, bot: BotRules, facts: Facts, { answer, answerId }: Given): Turn {
  const isGreeting = bot.hasGreeting && !conversation.greeted
  const after = { ...conversation, greeted: true, failures: 0, choices: [] }
  const says: Said[] = [...(isGreeting ? [{ text: 'greeting' } as const] : []), { words: answer }]
  return speak(withOpenStep({ ...nothing(after), kind: 'answer', says, answerId }, facts), facts, 'answers')
}

/** Returns what follows from what a model understood; null when it did not help. It cannot confirm an order. */
function followModel(conversation: Conversation, bot: BotRules, facts: Facts, understood: Understood): Turn | null {
  switch (understood.kind) {
    case 'answer':
      return give(conversation, bot, facts, { answer: understood.text, answerId: understood.sources[0] ?? null })
    case 'person':
      return handOver(conversation, facts)
    case 'intent':
      return facts.catalogue ? applyIntent(conversation, { is: understood.intent }, facts.catalogue, facts) : null
    case 'unknown':
      return null
  }
}

function offerChoices(conversation: Conversation, facts: Facts, options: readonly Choice[]): Turn {
  const choices = options.map(({ answerId, question }) => ({ answerId, question }))
  const says: Said[] = [{ text: 'choose' }, ...choices.map(({ question }, at) => ({ words: `${at + 1}. ${question}` }))]
  return speak({ ...nothing({ ...conversation, choices }), kind: 'choose', says }, facts, 'answers')
}

/**
 * Returns the turn that says that the answer is unknown and leaves the question to a person; the third time in a row it
 * hands over.
 */
function doNotKnow(conversation: Conversation, facts: Facts, reason: 'ai_quota' | null): Turn {
  const failures = conversation.failures + 1
  if (failures >= maxFailures) return handOver(conversation, facts)
  const after = { ...conversation, failures, choices: [] }
  const turn: Turn = { ...nothing(after), kind: 'unknown', says: [{ text: 'unknown' }], review: { reason } }
  return speak(withOpenStep(turn, facts), facts, 'answers')
}
