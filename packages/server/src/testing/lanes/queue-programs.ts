import { type Memory, onlyWhen, type Program, type Step, type View } from './explore.ts'
import {
  type Lane,
  type LaneNote,
  lease,
  limitedLane,
  type Message,
  muchLater,
  never,
  newestLane,
  seeLane,
  seeLimits,
  seeMessages,
  seeQueued,
} from './lane-rows.ts'
import type { Broken } from './lane-rules.ts'

/** A process for the scenarios: what it does when one rule is broken, or none. */
export type MakeProgram = (broken: Broken) => Program

/** The beginning of a statement. */
export function snapshot(name: string): Step {
  return { name, kind: 'snapshot' }
}

/** The end of a transaction. */
export function commit(run?: (view: View) => void): Step {
  return { name: 'commits', kind: 'commit', ...(run && { run }) }
}

/** Locks these rows, one after the other. */
export function locking(keys: readonly string[]): Step[] {
  return keys.map((key) => ({ name: `locks ${key}`, kind: 'work', run: (view) => void view.lock(key) }))
}

/**
 * `moveWaiting`: locks all lanes, and moves what waits on closed ones and on the lane `removed` to the first open one.
 */
export function moving(lanes: readonly string[], broken: Broken, removed: string | null = null): Step[] {
  const laneOf = (view: View, lane: string) =>
    broken === 'move-without-locks' ? seeLane(view, lane) : newestLane(view, lane)
  const move = (view: View) => {
    const target = lanes.find((lane) => laneOf(view, lane)?.open)
    for (const [key, seen] of target === undefined ? [] : seeMessages(view)) {
      const isSource = seen.lane === removed || laneOf(view, seen.lane)?.open === false
      if (seen.status !== 'queued' || seen.pinned || !isSource || target === undefined) continue
      const message = view.lock(key) as Message | null
      if (message?.status !== 'queued' || message.lane !== seen.lane) continue
      // What a guard rule held is judged again for the other number.
      const due = message.held ? view.time : message.due
      view.write(key, { lane: target, status: 'queued', due } satisfies Message)
      const lane = newestLane(view, target)
      if (lane && broken !== 'target-not-due') view.write(target, { ...lane, next: Math.min(lane.next, due) })
    }
  }
  return [
    ...(broken === 'move-without-locks' ? [] : [snapshot('begins to lock the lanes'), ...locking(lanes)]),
    snapshot('begins to move'),
    { name: 'moves what waits', kind: 'work', run: move },
  ]
}

interface TextOptions {
  readonly lane?: string
  readonly lanes?: readonly string[]
  /** Whether it waits for the lock of the lane at once, as batches and campaigns do. */
  readonly waits?: boolean
  readonly mayDie?: boolean
}

/**
 * `insertTexts` for one text: twice without waiting for the lane, then with waiting. What waits locks all lanes where
 * it sees its own closed, and begins again where that was closed in between.
 */
export function text(name: string, options: TextOptions = {}): MakeProgram {
  const { lane = 'lane A', lanes = [lane], waits = false, mayDie = false } = options
  const key = `message of ${name}`
  return (broken) => {
    const insert = (view: View, seen: Lane, locked: Lane | null, closed: string) => {
      if (broken === 'messages-first' || locked) {
        view.write(key, { lane, status: 'queued', due: view.time } satisfies Message)
        view.remember({ outcome: locked?.open === false ? closed : 'stored' })
      }
      const sleeps = broken === 'snapshot-decides' ? seen : locked
      if (!locked || !sleeps || sleeps.next <= view.time || broken === 'lane-not-written') return
      view.write(lane, { ...locked, next: view.time })
    }
    const storeUnlessLocked = (view: View) => {
      view.remember({ outcome: 'skipped' })
      const seen = seeLane(view, lane)
      if (!seen || (!seen.open && broken !== 'skips-no-closed-lane')) return
      const newest = view.lockUnlessLocked(lane) as Lane | null
      const isTaken = newest?.open || broken === 'skips-no-closed-lane'
      insert(view, seen, isTaken ? newest : null, 'stored')
    }
    const read = (view: View) => {
      const isClosed = seeLane(view, lane)?.open === false
      view.remember({ locksAll: isClosed && broken !== 'late-text-locks-one' })
    }
    const store = (view: View) => {
      view.remember({ outcome: 'refused' })
      const seen = seeLane(view, lane)
      const locked = seen && (view.lock(lane) as Lane | null)
      const isLate = locked?.open === false && view.memory.locksAll !== true
      if (isLate && broken !== 'late-text-locks-one' && broken !== 'late-text-goes-on') {
        view.remember({ outcome: 'late' })
      } else if (seen) insert(view, seen, locked, 'closed')
    }
    const accept = (view: View) => {
      const isStored = view.memory.outcome === 'stored' || view.memory.outcome === 'closed'
      if (isStored || broken === 'no-second-try') view.note({ accepted: key } satisfies LaneNote)
    }
    const attempt = [
      snapshot('begins to store'),
      { name: 'stores where the lane is free', kind: 'work', run: storeUnlessLocked } as const,
      commit(accept),
    ]
    const alone = [
      snapshot('begins to store alone'),
      { name: 'reads its lane', kind: 'work', run: read } as const,
      ...onlyWhen(({ locksAll }) => locksAll === true, locking(lanes)),
      { name: 'waits for the lane and stores', kind: 'work', run: store } as const,
      ...(broken === 'late-text-not-moved'
        ? []
        : onlyWhen(({ outcome }) => outcome === 'closed', moving(lanes, broken))),
      commit(accept),
    ]
    const untilStored = [...alone, ...onlyWhen(({ outcome }) => outcome === 'late', alone)]
    const isSkipped = ({ outcome }: Memory) => outcome === 'skipped'
    const again =
      broken === 'no-second-try' ? [] : [...onlyWhen(isSkipped, attempt), ...onlyWhen(isSkipped, untilStored)]
    return { name, mayDie, steps: waits ? untilStored : [...attempt, ...again] }
  }
}

type Claim = Extract<LaneNote, { claimed: string }>

function claimsOf(view: View): readonly Claim[] {
  return (view.memory.claims as readonly Claim[] | undefined) ?? []
}

function noteFault(view: View, fault: string): void {
  view.note({ fault } satisfies LaneNote)
}

/** `claim`: one transaction of a dispatcher. */
export function dispatcher(name: string, { mayDie = false } = {}): MakeProgram {
  return (broken) => {
    const lockDue = (view: View) => {
      const isDue = (lane: Lane | null) => lane !== null && lane.next <= view.time
      const locked = view.list('lane').flatMap(([key]) => {
        const seen = seeLane(view, key)
        if (!seen?.open || !isDue(seen)) return []
        const newest = view.lockUnlessLocked(key) as Lane | null
        return isDue(newest) && (newest?.open || broken === 'open-not-rechecked') ? [key] : []
      })
      const old = broken === 'claim-by-old-snapshot' || broken === 'sleep-by-old-snapshot' ? view.snapshot : null
      view.remember({ locked, ...(old && { old }) })
    }
    const claimOf = (view: View, lane: string) => {
      const gate = newestLane(view, lane)?.gate ?? never
      if (gate > view.time) return
      for (const [key] of seeQueued(view, lane).filter(([, { due }]) => due <= view.time)) {
        const newest = (
          broken === 'claim-by-old-snapshot' ? view.see(key) : view.lockUnlessLocked(key)
        ) as Message | null
        if (newest?.status !== 'queued' || newest.lane !== lane || newest.due > view.time) continue
        if (lane === limitedLane && !seeLimits(view).allow)
          return view.write(key, { ...newest, due: muchLater, held: true })
        return send(view, lane, key, newest)
      }
    }
    const send = (view: View, lane: string, key: string, message: Message) => {
      if (!(view.committed(lane) as Lane | null)?.open)
        noteFault(view, `${key} is claimed from ${lane}, which is closed`)
      view.remember({ claims: [...claimsOf(view), { claimed: key, lane, at: view.time } satisfies LaneNote] })
      view.write(key, { ...message, status: 'sending', claimedAt: view.time, claimedBy: name } satisfies Message)
      const own = newestLane(view, lane)
      if (own) view.write(lane, { ...own, gate: view.time + 1 })
    }
    const lanesOf = (view: View) => view.memory.locked as readonly string[]
    const claim = (view: View) => {
      if (broken === 'claim-by-old-snapshot') view.snapshot = view.memory.old as View['snapshot']
      for (const lane of lanesOf(view)) claimOf(view, lane)
    }
    const close = (view: View) => {
      if (broken === 'sleep-by-old-snapshot') view.snapshot = view.memory.old as View['snapshot']
      for (const lane of lanesOf(view)) {
        const own = newestLane(view, lane)
        const due = seeQueued(view, lane).map(([, message]) => message.due)
        const next = due.length === 0 ? never : Math.max(Math.min(...due), own?.gate ?? 0)
        if (own) view.write(lane, { ...own, next })
      }
    }
    // A claim counts once it is committed. In no scene does a worker give its claim back before it expires.
    const noteClaims = (view: View) => {
      for (const claim of claimsOf(view)) {
        const earlier = view.notes.flatMap((note) => ('claimed' in (note as LaneNote) ? [note as Claim] : []))
        const isTwice = earlier.some((one) => one.claimed === claim.claimed && claim.at < one.at + lease)
        if (isTwice) noteFault(view, `${claim.claimed} is claimed twice`)
        if (earlier.some((one) => one.lane === claim.lane && one.at === claim.at))
          noteFault(view, `${claim.lane} sends twice`)
        view.note(claim)
      }
      view.memory = {}
    }
    const hasLanes = ({ locked }: Memory) => (locked as readonly string[]).length > 0
    return {
      name,
      mayDie,
      steps: [
        snapshot('begins to read due lanes'),
        { name: 'locks due lanes', kind: 'work', run: lockDue },
        ...onlyWhen(hasLanes, [
          snapshot('begins to claim'),
          { name: 'claims', kind: 'work', run: claim },
          snapshot('begins to read the rest'),
          { name: 'writes when to read the lanes next', kind: 'work', run: close },
        ]),
        commit(noteClaims),
      ],
    }
  }
}
