import { type IndexCache, openIndexCache } from '#conversations/bots/knowledge/index-cache.ts'
import type { Allowance } from '#conversations/bots/records/allowance.ts'
import type { Services } from '#services.ts'
import { openHttpModel } from './http-model.ts'
import type { AssistantModel } from './model.ts'

/** What the assistants of a process share. */
export interface Assistants {
  readonly indexes: IndexCache
  /** Null without AI_URL: the built-in ranking alone answers. */
  readonly model: AssistantModel | null
  readonly allowance: Allowance
}

const opened = new WeakMap<Services['config'], Assistants>()

/** Returns what the assistants of this process share; it is opened on first use. */
export function openAssistants({ config, log }: Pick<Services, 'config' | 'log'>): Assistants {
  const kept = opened.get(config)
  if (kept) return kept
  const assistants: Assistants = {
    indexes: openIndexCache({ log }),
    model: config.ai.model && openHttpModel(config.ai.model),
    allowance: { microUsd: config.ai.allowanceUsd * 1_000_000 },
  }
  opened.set(config, assistants)
  return assistants
}
