import type { Services } from '#services.ts'

type Settings = Pick<Services['config'], 'console'>

/**
 * Returns the page where a person decides whether an AI client may connect: a page of the console, where the person may
 * be signed in; without the console the page that works alone.
 */
export function consentPageUrl({ console: { enabled } }: Settings, origin: string, requestId: string): string {
  return enabled ? `${origin}/console/consent/${requestId}` : `${origin}/connect#request=${requestId}`
}

/** Returns the page where a person decides about what an AI client wants to do. */
export function approvalPageUrl({ console: { enabled } }: Settings, origin: string, actionId: string): string {
  return enabled ? `${origin}/console/connections/${actionId}` : `${origin}/approve#action=${actionId}`
}
