import type { HttpModelSettings } from '#conversations/bots/model/http-model.ts'
import type { TranscriberSettings } from '#conversations/inbound/voice/transcriber.ts'

/** The settings of models and of speech recognition, as they stand in the environment. */
interface AiEnvironment {
  readonly AI_URL?: string | undefined
  readonly AI_KEY?: string | undefined
  readonly AI_MODEL?: string | undefined
  readonly AI_MODEL_KIND: HttpModelSettings['kind']
  readonly AI_PRICE_IN?: number | undefined
  readonly AI_PRICE_OUT?: number | undefined
  readonly AI_ALLOWANCE_USD: number
  readonly TRANSCRIBE_URL?: string | undefined
  readonly TRANSCRIBE_KEY?: string | undefined
  readonly TRANSCRIBE_MODEL?: string | undefined
  readonly TRANSCRIBE_PRICE_MINUTE?: number | undefined
}

/** What assistants use beside what people wrote. */
export interface AiSettings {
  /** Null: the built-in ranking alone. */
  readonly model: HttpModelSettings | null
  /** Null: voice notes stay voice notes. */
  readonly transcriber: TranscriberSettings | null
  /** What the models may cost an organization in a month, in US dollars. */
  readonly allowanceUsd: number
}

/** Returns the settings. `refuse` is called with the problem when settings that belong together are not all there. */
export function toAiSettings(set: AiEnvironment, refuse: (problem: string) => never): AiSettings {
  return { model: toModel(set, refuse), transcriber: toTranscriber(set, refuse), allowanceUsd: set.AI_ALLOWANCE_USD }
}

function toModel(set: AiEnvironment, refuse: (problem: string) => never): HttpModelSettings | null {
  const { AI_URL: url, AI_KEY: key, AI_MODEL: model, AI_PRICE_IN: priceIn, AI_PRICE_OUT: priceOut } = set
  if (url === undefined) return null
  if (model === undefined || priceIn === undefined || priceOut === undefined) {
    return refuse('AI_URL needs AI_MODEL, AI_PRICE_IN and AI_PRICE_OUT: without prices the allowance cannot be kept.')
  }
  return { url, key: key ?? null, model, kind: set.AI_MODEL_KIND, priceIn, priceOut }
}

function toTranscriber(set: AiEnvironment, refuse: (problem: string) => never): TranscriberSettings | null {
  const { TRANSCRIBE_URL: url, TRANSCRIBE_KEY: key, TRANSCRIBE_MODEL: model, TRANSCRIBE_PRICE_MINUTE: price } = set
  if (url === undefined) return null
  if (model === undefined || price === undefined) {
    return refuse('TRANSCRIBE_URL needs TRANSCRIBE_MODEL and TRANSCRIBE_PRICE_MINUTE.')
  }
  return { url, key: key ?? null, model, pricePerMinute: price }
}
