import { limits } from '@msgctl/contract'
import type { Db } from '#platform/db/db.ts'
import { byOrganization, limitReached } from './limit-key.ts'
import { passChange, readChangeLimit } from './rate-limit-store.ts'

/** A limit of `perWindow` calls in `windowMs`, which may all come at once. */
export interface Policy {
  readonly perWindow: number
  readonly windowMs: number
}

/** 300 changes a minute for each organization, in bursts up to 300 (specification, "Limits"). */
export const changePolicy: Policy = { perWindow: limits.changesPerMinute, windowMs: 60_000 }

/** What is left of a limit, as its headers and the error show it. */
export interface RateLimitState {
  readonly remaining: number
  /** Whole seconds until the full burst is there again. */
  readonly resetSeconds: number
  /** Whole seconds until the next call passes; 0 when it passes now. */
  readonly retryAfterSeconds: number
}

/**
 * The arithmetic of GCRA: `tatMs` is the theoretical arrival time that is stored, the moment at which the bucket would
 * be full again. Each call that passes moves it by one interval; a call passes while it stays within the window.
 */
export function rateLimitState(policy: Policy, tatMs: number, nowMs: number): RateLimitState {
  const intervalMs = policy.windowMs / policy.perWindow
  const usedMs = Math.max(0, tatMs - nowMs)
  const freeMs = policy.windowMs - usedMs
  return {
    remaining: Math.max(0, Math.floor(freeMs / intervalMs)),
    resetSeconds: Math.ceil(usedMs / 1000),
    retryAfterSeconds: Math.max(0, Math.ceil((intervalMs - freeMs) / 1000)),
  }
}

/** The headers of draft-ietf-httpapi-ratelimit-headers. */
function rateLimitHeaders(policy: Policy, now: RateLimitState): Record<string, string> {
  return {
    'RateLimit-Policy': `"changes";q=${policy.perWindow};w=${policy.windowMs / 1000}`,
    RateLimit: `"changes";r=${now.remaining};t=${now.resetSeconds}`,
  }
}

/**
 * Counts one change of the organization, shared by all its keys and all processes. `setHeaders` receives the current
 * standing whether the change is allowed or refused. Throws RATE_LIMITED.
 */
export async function limitChanges(
  db: Db,
  organizationId: string,
  setHeaders: (headers: Record<string, string>) => void,
): Promise<void> {
  const { passed, tat, now } = await passChange(db, organizationId, changePolicy)
  const state = rateLimitState(changePolicy, tat.getTime(), now.getTime())
  setHeaders(rateLimitHeaders(changePolicy, state))
  if (passed) return
  const retryAfterSeconds = Math.max(1, state.retryAfterSeconds)
  throw limitReached(
    byOrganization('changes', organizationId),
    `The organization may make ${changePolicy.perWindow} changes a minute. Try again in ${retryAfterSeconds} s.`,
    { scope: 'organization', retryAfterSeconds, limitPerMinute: changePolicy.perWindow },
  )
}

/** Returns the state of the organization's limit on changes, which reading it does not alter. */
export async function changeLimitState(db: Db, organizationId: string) {
  const { tat, now } = await readChangeLimit(db, organizationId)
  const { remaining, retryAfterSeconds } = rateLimitState(changePolicy, tat.getTime(), now.getTime())
  return {
    limitPerMinute: changePolicy.perWindow,
    remaining,
    retryAfterSeconds,
    resetsAt: new Date(Math.max(tat.getTime(), now.getTime())).toISOString(),
  }
}
