import { hasClaimed, lockMovable, moveMessages } from '#numbers/lanes/move-store.ts'
import { beginAgain, type Db, transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { findWaiting, type LockedLane, lockLanes } from './failover-store.ts'
import { emptyContext, groupSelector, type SendGroup } from './send-group-rules.ts'
import { findGroup, findQueueLoad } from './send-group-store.ts'

/** Messages that one transaction moves at most, so that it does not hold the lanes for long. */
const moveBatch = 5000

/**
 * How long moved messages wait while a worker still holds some of the same number: it gives back within a second what
 * it has not begun to send, and that stands before them.
 */
const settleMs = 2000

/** The result of one search for messages that must move to another number. */
export interface MoveResult {
  readonly messages: number
  /** Whether messages may remain beyond the limit of one transaction: move again after the commit. */
  readonly more: boolean
}

const emptyMoveResult: MoveResult = { messages: 0, more: false }

/**
 * Locks the lanes of an organization whose send group is on, in their order. Called before one of them is shut or
 * opened in the same transaction, so that two numbers that go down at once do not move their queues onto each other.
 * Returns whether the group is on, for {@link moveLocked}.
 */
export async function lockGroupLanes(trx: Db, organizationId: string): Promise<boolean> {
  const { enabled } = await findGroup(trx, organizationId)
  if (enabled) await lockLanes(trx, organizationId)
  return enabled
}

/**
 * Does {@link moveWaiting} in a transaction that has locked all lanes, or only some where the group was off or a lane
 * was open. Should that have changed since, the transaction begins again: two that hold some lanes each would wait for
 * each other.
 */
export async function moveLocked(trx: Db, organizationId: string, areAllLocked: boolean): Promise<MoveResult> {
  if (areAllLocked) return moveWaiting(trx, organizationId)
  const { enabled } = await findGroup(trx, organizationId)
  if (enabled) throw beginAgain('a message waits on a lane that was closed a moment ago')
  return emptyMoveResult
}

/**
 * Moves what waits on lanes that are shut to the numbers of the send group that can send, each queue in its order
 * (specification, "Sending messages": it can move to another number of the group if that one goes down). Messages of an
 * explicit containerId or a number's key never move. When no number of the group can send they wait, and move when the
 * first one comes up.
 *
 * `removed` is a number that is no longer there: what waited on it goes to the group too, else to the default number,
 * else to any other, even to wait there.
 */
export async function moveWaiting(trx: Db, organizationId: string, removed: string | null = null): Promise<MoveResult> {
  const group = await findGroup(trx, organizationId)
  if (!group.enabled && removed === null) return emptyMoveResult
  const lanes = await lockLanes(trx, organizationId)
  const sources = sourcesOf(group, lanes, removed)
  if (sources.length === 0) return emptyMoveResult
  const waiting = await lockMovable(trx, organizationId, sources, moveBatch)
  if (waiting.length === 0) return emptyMoveResult
  const standIn = await standInChooser(trx, organizationId, group, lanes)
  const moves = waiting.flatMap(({ id, recipient }) => {
    const to = standIn(recipient)
    return to ? [{ id, to: to.id }] : []
  })
  const claimed = await hasClaimed(trx, organizationId, sources)
  await moveMessages(trx, organizationId, moves, claimed ? settleMs : 0)
  return { messages: moves.length, more: moves.length === moveBatch }
}

/** The numbers whose messages move: those that are shut where the group has one that can send, and the removed one. */
function sourcesOf(group: SendGroup, lanes: readonly LockedLane[], removed: string | null): string[] {
  const standsIn = groupSelector(group, openOf(lanes), emptyContext)('') !== null
  const shut = standsIn ? lanes.filter((lane) => !lane.open).map((lane) => lane.id) : []
  return removed === null ? shut : [...shut, removed]
}

/** The number for each contact: one of the group, else, for what waited on a removed number, any other. */
async function standInChooser(trx: Db, organizationId: string, group: SendGroup, lanes: readonly LockedLane[]) {
  const queueLoad =
    group.mode === 'share' ? await findQueueLoad(trx, organizationId, group.containerIds) : emptyContext.queueLoad
  // The number that a contact had before is left out: it is the one that is down.
  const fromGroup = groupSelector(group, openOf(lanes), { lastNumbers: emptyContext.lastNumbers, queueLoad })
  const anyOther = [...lanes].sort((a, b) => rank(a) - rank(b))[0]
  return (contact: string) => fromGroup(contact) ?? anyOther ?? null
}

function openOf(lanes: readonly LockedLane[]): LockedLane[] {
  return lanes.filter((lane) => lane.open)
}

/** The default while it can send, then any that can, then the default that cannot, then any. */
function rank({ open, isDefault }: LockedLane): number {
  return (open ? 0 : 2) + (isDefault ? 0 : 1)
}

/**
 * Runs {@link moveWaiting} in its own transactions until no message is left to move. Returns how many messages moved.
 */
export async function moveAllWaiting(
  services: Pick<Services, 'db'>,
  organizationId: string,
  removed: string | null = null,
): Promise<number> {
  let messages = 0
  for (;;) {
    const moved = await transaction(services.db, (trx) => moveWaiting(trx, organizationId, removed))
    messages += moved.messages
    if (!moved.more) return messages
  }
}

/** The sweep: moves what a crash left behind on a number that cannot send. Everything else moves at once. */
export async function sweepWaiting(services: Pick<Services, 'db' | 'log'>): Promise<void> {
  for (const organizationId of await findWaiting(services.db)) {
    const messages = await moveAllWaiting(services, organizationId)
    if (messages > 0)
      services.log.info(
        { event: 'messages_moved', organizationId, messages },
        'messages were moved to a number that can send',
      )
  }
}
