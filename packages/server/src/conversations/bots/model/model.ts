/** A stored answer that a model may use, with the question that is nearest to what was asked. */
interface Passage {
  readonly id: string
  readonly question: string
  readonly answer: string
}

/** What a model is given. Everything in it belongs to one organization. */
export interface ModelQuestion {
  readonly question: string
  readonly lang: string
  readonly passages: readonly Passage[]
  /** The last messages of the conversation, the oldest first. */
  readonly history: readonly { readonly from: 'customer' | 'assistant'; readonly text: string }[]
  readonly instructions: string
  /** Whether the customer can order. */
  readonly hasShop: boolean
}

/** The intents that a model can name. It cannot confirm an order. */
export const modelIntents = ['menu', 'cart', 'checkout'] as const
type ModelIntent = (typeof modelIntents)[number]

/** What a model understood, after the checks of {@link filterUnderstood}. */
export type Understood =
  | { readonly kind: 'answer'; readonly text: string; readonly sources: readonly string[] }
  | { readonly kind: 'person' }
  | { readonly kind: 'intent'; readonly intent: ModelIntent }
  | { readonly kind: 'unknown' }

/** What a call of a model returned and cost. */
export interface ModelAnswer {
  readonly understood: Understood
  readonly microUsd: number
}

/** Something that understands questions. */
export interface AssistantModel {
  readonly name: string
  /** Returns the most that a call for this question can cost, in millionths of a US dollar. */
  mostMicroUsd(question: ModelQuestion): number
  /** Throws a ModelFailure. */
  understand(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>
}

/** Thrown when a model did not give an answer. `microUsd` is what the attempts may have cost. */
export class ModelFailure extends Error {
  readonly kind: 'busy' | 'unavailable'
  readonly microUsd: number

  constructor(kind: 'busy' | 'unavailable', message: string, microUsd = 0) {
    super(message)
    this.name = 'ModelFailure'
    this.kind = kind
    this.microUsd = microUsd
  }
}
