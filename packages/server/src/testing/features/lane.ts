import { laneLimit, type Pace, type Planned, plan } from '#sending/messages/queue/pace.ts'

/** A queued text as a lane knows it; times in milliseconds. */
export interface LaneText {
  readonly id: string
  readonly priority: 'high' | 'normal' | 'low'
  readonly length: number
  readonly dueMs: number
  readonly queueMs: number
}

/**
 * A model of one lane without the database: what a claim takes and when the lane is next due. It uses the real rules of
 * pace; a test next to it checks that it orders the queue as the SQL does.
 */
export class ModelLane {
  nextSendAt = new Date(0)
  nextMs = Number.POSITIVE_INFINITY
  private readonly pace: Pace
  private readonly high: LaneText[] = []
  private readonly paced: LaneText[] = []

  constructor(pace: Pace) {
    this.pace = pace
  }

  get waiting(): number {
    return this.paced.length
  }

  add(text: LaneText): void {
    const queue = text.priority === 'high' ? this.high : this.paced
    let at = queue.length
    while (at > 0 && after(queue[at - 1], text)) at -= 1
    queue.splice(at, 0, text)
    this.nextMs = Math.min(this.nextMs, text.dueMs)
  }

  /** What one worker claims at `now`, with the times of each text. */
  claim(now: Date): (Planned & { readonly text: LaneText })[] {
    if (this.nextMs > now.getTime()) return []
    const taken = this.high.splice(0, 50)
    taken.push(...this.paced.splice(0, laneLimit(this.pace, now, this.nextSendAt)))
    const { planned, nextSendAt } = plan(this.pace, now, this.nextSendAt, taken)
    this.nextSendAt = nextSendAt
    this.nextMs = this.high[0]?.dueMs ?? Number.POSITIVE_INFINITY
    if (this.paced.length > 0) {
      const due = Math.min(...this.paced.slice(0, 20).map(({ dueMs }) => dueMs))
      this.nextMs = Math.min(this.nextMs, Math.max(due, nextSendAt.getTime() - this.pace.horizonMs))
    }
    return planned.map((one, n) => ({ ...one, text: taken[n] as LaneText }))
  }
}

function after(a: LaneText | undefined, b: LaneText): boolean {
  return a !== undefined && (a.queueMs > b.queueMs || (a.queueMs === b.queueMs && a.id > b.id))
}

/** Numbers in [0, 1) that are the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
