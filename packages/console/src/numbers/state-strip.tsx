import type { NumberStatus } from '@msgctl/contract/states'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/index.ts'

/** A change of the state of a number. */
interface StateChange {
  readonly at: string
  readonly to: NumberStatus
}

/** A time in one state, as a share of the whole. */
interface StateSpan {
  readonly status: NumberStatus
  readonly from: number
  readonly share: number
}

const dayMs = 86_400_000

/** Returns the states of the last 24 hours, oldest first. `changes` are latest first, as the service lists them. */
function stateSpans(changes: readonly StateChange[], now: number): StateSpan[] {
  const start = now - dayMs
  const spans: StateSpan[] = []
  let until = now
  for (const { at, to } of changes) {
    const from = Math.max(start, Date.parse(at))
    if (from < until) spans.unshift({ status: to, from, share: (until - from) / dayMs })
    until = Math.min(until, from)
    if (until <= start) break
  }
  return spans
}

/** The last 24 hours of a number as one line. */
export function StateStrip({ changes, now }: { readonly changes: readonly StateChange[]; readonly now: number }) {
  const spans = stateSpans(changes, now)
  const known = spans.reduce((sum, { share }) => sum + share, 0)
  const words = spans.map(({ status, from }) => `${dayAndTime(new Date(from).toISOString())} ${t.status[status]}`)
  return (
    <div class="strip" role="img" aria-label={`${t.numberDetail.last24h}: ${words.join(', ')}`}>
      <i style={{ flexGrow: 1 - known }} />
      {spans.map(({ status, from, share }) => (
        <i key={from} class={`fill-${status}`} style={{ flexGrow: share }} title={t.status[status]} />
      ))}
    </div>
  )
}
