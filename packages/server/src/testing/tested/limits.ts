import { testsDirect } from '#testing/direct/test-gateway.ts'

/**
 * Returns how a number without a quota of new conversations is shown. Only the sockets of our own count what is used.
 */
export function withoutQuota(used: number) {
  return testsDirect ? { used, quota: null, resetsAt: null } : null
}
