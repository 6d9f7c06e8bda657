import { causeOf } from '#platform/log/cause.ts'
import type { Services } from '#services.ts'
import type { ClaimedDelivery } from './delivery-store.ts'

const everyMs = 60_000
const mostEndpoints = 10_000

/**
 * Returns what logs an attempt without a response, with its cause: at most one line a minute for each endpoint, whose
 * `skipped` is how many attempts had none since the line before. Remembers `most` endpoints.
 */
export function logUnanswered(
  { log, clock }: { readonly log: Pick<Services['log'], 'info'>; readonly clock: Pick<Services['clock'], 'now'> },
  most = mostEndpoints,
) {
  const lines = new Map<string, { readonly atMs: number; skipped: number }>()
  return (
    { id: deliveryId, endpointId, organizationId }: Pick<ClaimedDelivery, 'id' | 'endpointId' | 'organizationId'>,
    error: unknown,
  ): void => {
    const nowMs = clock.now().getTime()
    const last = lines.get(endpointId)
    if (last && Math.abs(nowMs - last.atMs) < everyMs) {
      last.skipped += 1
      return
    }
    // The endpoint with the latest line is the last one of the map.
    lines.delete(endpointId)
    lines.set(endpointId, { atMs: nowMs, skipped: 0 })
    const [oldest] = lines.keys()
    if (lines.size > most && oldest !== undefined) lines.delete(oldest)
    const skipped = last?.skipped ?? 0
    const fields = {
      event: 'webhook_unanswered',
      cause: causeOf(error),
      deliveryId,
      endpointId,
      organizationId,
    } as const
    log.info({ ...fields, skipped }, 'webhook attempt had no response')
  }
}
