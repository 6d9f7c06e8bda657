import { describe, expect, it } from 'vitest'
import type { MessageHistoryRow } from './store.ts'
import { buildTimeline } from './view.ts'

const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms)

/** A sent message whose network reported a failure at its own time. */
function rowOf(times: Partial<MessageHistoryRow>): MessageHistoryRow {
  return { createdAt: at(0), sentAt: at(20), gatewayMessageId: 'A1', error: 'No route.', ...times } as MessageHistoryRow
}

describe('the timeline of a message', () => {
  it('never shows that a message failed before the network took it', () => {
    const steps = buildTimeline(rowOf({ failedAt: at(10) }), []).map(({ step }) => step)
    expect(steps).toEqual(['queued', 'sent', 'failed'])
  })

  it('keeps the time of a failure that came later', () => {
    const steps = buildTimeline(rowOf({ failedAt: at(5_000) }), [])
    expect(steps.at(-1)).toEqual({ at: at(5_000).toISOString(), step: 'failed', detail: 'No route.' })
  })
})
