import { onlyWhen, type Step, type View } from './explore.ts'
import { type Lane, lease, type Message, newestLane, seeLimits, seeMessages, seeQueued } from './lane-rows.ts'
import { commit, locking, type MakeProgram, moving, snapshot } from './queue-programs.ts'

interface BackOptions {
  readonly lane?: string
  /** A message whose send has failed for good, which is written with it. */
  readonly failed?: string
  readonly lanes?: readonly string[]
  readonly due?: number
  readonly mayDie?: boolean
}

/** Makes a lane due at the time of a message that is queued on it again, and remembers whether the lane is blocked. */
function makeDue(view: View, { lane, due }: Pick<Message, 'lane' | 'due'>, overwrites = false): void {
  const locked = view.lock(lane) as Lane | null
  view.remember({ blocked: locked?.open !== true, removed: locked === null })
  if (locked) view.write(lane, { ...locked, next: overwrites ? due : Math.min(locked.next, due) })
}

/** `writeRetries`: a worker gives a message back that it claimed before the scenario began. */
export function retry(name: string, key: string, options: BackOptions = {}): MakeProgram {
  const { lanes = ['lane A'], due = 0, mayDie = false, failed } = options
  return (broken) => {
    const back = (view: View) => {
      view.remember({ blocked: false })
      if (!isOwn(view.see(key) as Message | null)) return
      const newest = view.lock(key) as Message | null
      if (!newest || !isOwn(newest)) return
      view.write(key, { lane: newest.lane, status: 'queued', due })
      view.remember({ lane: newest.lane })
    }
    const isOwn = (message: Message | null) =>
      message?.status === 'sending' && (message.claimedBy === undefined || broken === 'retry-without-token')
    const wake = (view: View) => {
      const { lane } = view.memory as { lane?: string }
      if (lane !== undefined) makeDue(view, { lane, due }, broken === 'retry-overwrites')
    }
    const fail = (view: View) => {
      const newest = failed === undefined ? null : (view.lock(failed) as Message | null)
      if (failed !== undefined && isOwn(newest)) view.write(failed, { lane: 'lane A', status: 'failed', due: 0 })
    }
    const failing: Step[] =
      failed === undefined
        ? []
        : [snapshot('begins to write a failure'), { name: `fails ${failed}`, kind: 'work', run: fail }]
    const isBlocked = (removed: boolean) => (memory: Readonly<Record<string, unknown>>) =>
      memory.blocked === true && memory.removed === removed && broken !== 'retry-not-moved'
    return {
      name,
      mayDie,
      steps: [
        ...(broken === 'lanes-before-failures' ? [] : failing),
        snapshot('begins to give back'),
        { name: `queues ${key} again`, kind: 'work', run: back },
        ...(broken === 'retry-in-two' ? [commit(), snapshot('begins to make the lane due')] : []),
        { name: 'locks its lane and makes it due', kind: 'work', run: wake },
        ...(broken === 'lanes-before-failures' ? failing : []),
        commit(),
        ...onlyWhen(isBlocked(false), [...moving(lanes, broken), commit()]),
        ...onlyWhen(isBlocked(true), [...moving(lanes, broken, 'lane A'), commit()]),
      ],
    }
  }
}

/** `reclaimExpired`: queues messages again whose process is gone. */
export function sweep(name: string): MakeProgram {
  return () => {
    const reclaim = (view: View) => {
      const lanes = new Set<string>()
      for (const [key, seen] of seeMessages(view)) {
        if (!isExpired(seen, view.time)) continue
        const newest = view.lockUnlessLocked(key) as Message | null
        if (!newest || !isExpired(newest, view.time)) continue
        view.write(key, { lane: newest.lane, status: 'queued', due: view.time })
        lanes.add(newest.lane)
      }
      view.remember({ lanes: [...lanes].sort() })
    }
    const wake = (view: View) => {
      for (const lane of view.memory.lanes as readonly string[]) makeDue(view, { lane, due: view.time })
    }
    return {
      name,
      steps: [
        snapshot('begins to read expired claims'),
        { name: 'queues them again', kind: 'work', run: reclaim },
        { name: 'locks their lanes and makes them due', kind: 'work', run: wake },
        commit(),
      ],
    }
  }
}

function isExpired({ status, claimedAt = -lease }: Message, time: number): boolean {
  return status === 'sending' && claimedAt + lease <= time
}

/** `judgeAgain`: the limits of a number allow its messages now, and those that were held are released. */
export function release(name: string): MakeProgram {
  return (broken) => {
    const lane = 'lane A'
    const allow = (view: View) => view.write('limits', { ...seeLimits(view), allow: true })
    const makeAllDue = (view: View) => {
      for (const [key, { held }] of seeQueued(view, lane)) {
        if (held) view.write(key, { lane, status: 'queued', due: view.time })
      }
    }
    const wake = (view: View) => {
      const own = view.lock(lane) as Lane | null
      if (own) view.write(lane, { ...own, next: Math.min(own.next, view.time) })
    }
    return {
      name,
      steps: [
        snapshot('begins to allow'),
        { name: 'allows what was held', kind: 'work', run: allow },
        ...(broken === 'release-without-lock' ? [] : [snapshot('begins to lock the lane'), ...locking([lane])]),
        snapshot('begins to release'),
        { name: 'releases what is held', kind: 'work', run: makeAllDue },
        snapshot('begins to make the lane due'),
        { name: 'makes the lane due', kind: 'work', run: wake },
        commit(),
      ],
    }
  }
}

/** The row of the number of a lane. */
const numberOf = (lane: string) => `number of ${lane}`

/** `moveNumbers`: locks the number and all lanes of the organization, changes one, and moves what waits. */
function change(
  name: string,
  { lane, lanes, mayDie }: Required<LaneOptions>,
  { verb, changed, removes = false }: { verb: string; changed: (lane: Lane) => Lane | null; removes?: boolean },
): MakeProgram {
  return (broken) => {
    const locked = broken === 'close-locks-one' ? [lane] : lanes
    const write = (view: View) => {
      const own = newestLane(view, lane)
      if (own) view.write(lane, changed(own))
    }
    return {
      name,
      mayDie,
      steps: [
        snapshot('begins to lock the number'),
        ...locking([numberOf(lane)]),
        snapshot('begins to lock the lanes'),
        ...locking(locked),
        { name: `${verb} ${lane}`, kind: 'work', run: write },
        ...moving(lanes, broken, removes ? lane : null),
        commit(),
      ],
    }
  }
}

interface LaneOptions {
  readonly lane?: string
  readonly lanes?: readonly string[]
  readonly mayDie?: boolean
}

const allOptions = (options: LaneOptions) => ({
  lane: 'lane A',
  lanes: ['lane A', 'lane B'],
  mayDie: false,
  ...options,
})

/** Closes a lane: its number went down. */
export function close(name: string, options: LaneOptions = {}): MakeProgram {
  return change(name, allOptions(options), { verb: 'closes', changed: (lane) => ({ ...lane, open: false }) })
}

/** `holdNumbers`: closes all lanes of an organization, whose queues are held. */
export function hold(name: string, lanes: readonly string[]): MakeProgram {
  return (broken) => {
    const closeAll = (view: View) => {
      for (const lane of lanes) {
        const own = newestLane(view, lane)
        if (own) view.write(lane, { ...own, open: false })
      }
    }
    const lockNumbers = [snapshot('begins to lock the numbers'), ...locking(lanes.map(numberOf))]
    const lockLanes = [snapshot('begins to lock the lanes'), ...locking(lanes)]
    return {
      name,
      steps: [
        ...(broken === 'hold-lanes-first' ? [...lockLanes, ...lockNumbers] : [...lockNumbers, ...lockLanes]),
        { name: 'closes all lanes', kind: 'work', run: closeAll },
        commit(),
      ],
    }
  }
}

/** Opens a lane: its number works again. */
export function open(name: string, options: LaneOptions = {}): MakeProgram {
  return change(name, allOptions(options), { verb: 'opens', changed: (lane) => ({ ...lane, open: true }) })
}

/** Deletes a lane: its number is removed. */
export function remove(name: string, options: LaneOptions = {}): MakeProgram {
  return change(name, allOptions(options), { verb: 'deletes', changed: () => null, removes: true })
}

/** Time passes, this many times. */
export function time(units: number): MakeProgram {
  const tick = (view: View) => {
    view.time += 1
  }
  return () => ({
    name: 'time',
    steps: Array.from({ length: units }, () => ({ name: 'passes', kind: 'tick', run: tick })),
  })
}
