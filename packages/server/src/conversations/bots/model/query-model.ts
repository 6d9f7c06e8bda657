import { startTimeLimit } from '@msgctl/network/timeout'
import type { AllowancePeriod } from '#conversations/bots/records/allowance.ts'
import { findPeriod, reserve, settle } from '#conversations/bots/records/allowance-store.ts'
import type { Services } from '#services.ts'
import type { Assistants } from './assistants.ts'
import { ModelFailure, type ModelQuestion, type Understood } from './model.ts'

/** Two attempts fit into it, and it ends before the lease of a conversation. */
const deadlineMs = 41_000

/** Who queries a model. */
interface ModelCaller {
  readonly organizationId: string
  readonly trial: boolean
}

/** What a call of a model came to. */
export type QueryResult =
  | { readonly is: 'understood'; readonly understood: Understood }
  | { readonly is: 'quota'; readonly period: AllowancePeriod }
  | { readonly is: 'failed'; readonly failure: ModelFailure }

/**
 * Queries the model within the allowance of an organization: what the call may cost at most is reserved before it, and
 * replaced by what it cost after it. A call whose process dies stays reserved.
 */
export async function queryModel(
  { db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>,
  { model, allowance }: Assistants,
  { organizationId, trial }: ModelCaller,
  question: ModelQuestion,
  signal?: AbortSignal,
): Promise<QueryResult> {
  if (!model) return { is: 'understood', understood: { kind: 'unknown' } }
  const period = await findPeriod(db, clock.now(), { organizationId, trial }, allowance)
  const reservedMicroUsd = model.mostMicroUsd(question)
  if (!(await reserve(db, organizationId, period, reservedMicroUsd))) return { is: 'quota', period }
  const limit = startTimeLimit(deadlineMs, signal)
  try {
    const { understood, microUsd } = await model.understand(question, limit.signal)
    await settle(db, organizationId, period, { reservedMicroUsd, usedMicroUsd: microUsd })
    return { is: 'understood', understood }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    await settle(db, organizationId, period, { reservedMicroUsd, usedMicroUsd: error.microUsd })
    log.warn({ event: 'model_failed', kind: error.kind, reason: error.message }, 'a model did not answer')
    return { is: 'failed', failure: error }
  } finally {
    limit.end()
  }
}
