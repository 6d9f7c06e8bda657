import { contract } from '@msgctl/contract'
import type { Caller, Request } from '#api/http/handler.ts'
import { openKey, Replay } from '#api/idempotency/idempotency.ts'
import { holdNumbers } from '#numbers/connection/hold-store.ts'
import { applyState } from '#numbers/connection/state.ts'
import { judgeAgain, writeOperatorLimits } from '#numbers/guard/limits-store.ts'
import { openQueue } from '#numbers/hold.ts'
import { lockNumber, lockNumbers } from '#numbers/records/store.ts'
import { removeNumber } from '#numbers/remove.ts'
import { lockGroupLanes, moveAllWaiting } from '#numbers/send-group/failover.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { claim } from '#sending/messages/queue/claim.ts'
import { enqueueTexts, type NewText, storeTexts } from '#sending/messages/queue/enqueue.ts'
import { noPace } from '#sending/messages/queue/pace.ts'
import { findClosedLanes } from '#sending/messages/queue/queue-store.ts'
import { reapMessages } from '#sending/messages/queue/sweep.ts'
import type { Fate, Place, World } from './world.ts'

/** Thrown where a process is killed in the middle of a transaction. */
class Killed extends Error {}

/** Codes of refusals that callers may get; the others are faults. */
const refusals = new Set(['NO_SESSION_CONFIGURED', 'CONFLICT', 'TRIAL_LIMIT_REACHED', 'NOT_FOUND', 'IN_USE'])
/** The database ended the connection, or Knex found it ended. */
const isCut = (error: unknown) =>
  error instanceof Error &&
  (/^(57P0[123]|ECONNRESET|EPIPE)$/.test(String((error as { code?: string }).code)) ||
    /[Cc]onnection/.test(error.message))

type Random = () => number

/** One step of a process of a history. */
type Action = (world: World, place: Place, random: Random) => Promise<void>

const oneOf = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)] as T
const fates: readonly Fate[] = ['sent', 'sent', 'sent', 'retry', 'retry', 'paused', 'released', 'failed', 'forgotten']

function newText(place: Place, random: Random): NewText {
  return {
    organizationId: place.organizationId,
    containerId: oneOf(place.numbers, random),
    pinned: random() < 0.2,
    clientReference: null,
    type: 'alert',
    recipient: `120255501${10 + Math.floor(random() * 4)}`,
    text: 'hello',
    priority: oneOf(['normal', 'normal', 'normal', 'high', 'low'], random),
  }
}

function callerOf({ organizationId }: Place, trial = false): Caller {
  return {
    organizationId,
    trial,
    credential: 'account',
    kind: 'account_key',
    containerId: null,
    userId: null,
  } as Caller
}

/** Stores texts as a request does. */
async function accept(
  world: World,
  place: Place,
  texts: readonly NewText[],
  options: { key?: string; trial?: boolean },
) {
  const { db } = world.services
  const caller = callerOf(place, options.trial)
  const toBody = (answer: unknown) => answer
  const idempotency = await openKey(db, {
    key: options.key ?? null,
    caller,
    route: contract.alert.send,
    input: {},
    toBody,
  })
  let ids: readonly string[] = []
  await storeTexts<unknown>({ caller, idempotency }, world.services, texts, (stored) => {
    ids = stored
    return { ids }
  })
  for (const id of ids) world.accepted.add(id)
  if (options.key === undefined) return
  const key = `${options.key} of ${place.organizationId}`
  if (world.keys.has(key)) world.faults.push(`${key} stored two texts`)
  world.keys.add(key)
}

/** Runs `work` in a transaction that is rolled back now and then, as when its process is killed. */
async function maybeKilled<T>(
  world: World,
  random: Random,
  work: (services: World['services']) => Promise<T>,
): Promise<T> {
  const dies = random() < 0.2
  return transaction(world.services.db, async (trx) => {
    const result = await work({ ...world.services, db: trx })
    if (dies) throw new Killed()
    return result
  })
}

const actions: Readonly<Record<string, readonly [weight: number, action: Action]>> = {
  single: [8, (world, place, random) => accept(world, place, [newText(place, random)], {})],
  keyed: [
    3,
    (world, place, random) =>
      accept(world, place, [newText(place, random)], { key: `key-${Math.floor(random() * 3)}` }),
  ],
  trial: [1, (world, place, random) => accept(world, place, [newText(place, random)], { trial: true })],
  batch: [
    2,
    (world, place, random) =>
      accept(
        world,
        place,
        Array.from({ length: 2 + Math.floor(random() * 3) }, () => newText(place, random)),
        {},
      ),
  ],
  enqueue: [
    2,
    async (world, place, random) => {
      let ids: string[] = []
      try {
        await maybeKilled(world, random, async ({ db, clock }) => {
          ids = await enqueueTexts(db, clock, [newText(place, random), newText(place, random)])
        })
      } catch (error) {
        if (error instanceof Killed) for (const id of ids) world.rolledBack.add(id)
        throw error
      }
      for (const id of ids) world.accepted.add(id)
    },
  ],
  claim: [
    8,
    async (world, _place, random) => {
      const messages = await maybeKilled(world, random, (services) => claimFromOpen(world, services))
      for (const message of messages) world.claimed(message, oneOf(fates, random), random)
    },
  ],
  close: [3, (world, place, random) => report(world, place, oneOf(place.numbers, random), 'FAILED')],
  open: [3, (world, place, random) => report(world, place, oneOf(place.numbers, random), 'WORKING')],
  hold: [0.5, (world, place) => holdAll(world, place)],
  release: [1, (world, place) => releaseAll(world, place)],
  move: [
    1,
    async (world, place) => {
      await moveAllWaiting(world.services, place.organizationId)
    },
  ],
  remove: [
    0.5,
    async (world, place) => {
      const request = { caller: callerOf(place), params: { containerId: place.numbers[2] } }
      await removeNumber(request as unknown as Request<typeof contract.numbers.delete>, world.services)
    },
  ],
  limit: [1, (world, place, random) => setLimit(world, place, oneOf(place.numbers, random), random() < 0.5 ? 1 : null)],
  pass: [
    0.4,
    async (world, _place, random) => {
      await world.services.clock.advance(oneOf([1, 11, 11, 61], random))
      await reapMessages(world.services)
    },
  ],
}

const weighted = Object.entries(actions).map(([name, [weight, run]]) => ({ name, weight, run }))
const totalWeight = weighted.reduce((sum, { weight }) => sum + weight, 0)

function choose(random: Random): (typeof weighted)[number] {
  let left = random() * totalWeight
  for (const one of weighted) {
    left -= one.weight
    if (left < 0) return one
  }
  throw new Error('there are no actions')
}

/** Claims, and checks in the same transaction that the lanes of the messages are open. */
export async function claimFromOpen(world: World, services: World['services']) {
  const messages = await claim(services, noPace, 1000)
  const lanes = [...new Set(messages.map(({ containerId }) => containerId))]
  const closed = lanes.length === 0 ? [] : await findClosedLanes(services.db, lanes)
  if (closed.length > 0) world.faults.push(`a message left the closed lane ${closed.join()}`)
  return messages
}

async function report(world: World, place: Place, containerId: string, status: 'FAILED' | 'WORKING'): Promise<void> {
  const { organizationId } = place
  await applyState(world.services, { organizationId, containerId, state: { status, me: null }, source: 'network' })
}

async function setLimit(world: World, place: Place, containerId: string, perHour: number | null): Promise<void> {
  const number = { organizationId: place.organizationId, containerId }
  await transaction(world.services.db, async (trx) => {
    if (!(await lockNumber(trx, place.organizationId, containerId))) return
    const limits = { mode: perHour === null ? 'off' : 'on', conversations: null, perHour, perDay: null } as const
    await writeOperatorLimits(trx, number, limits, perHour !== null)
    await judgeAgain(trx, number)
  })
}

/** Holds the queue of every number, as the end of an organization does. */
async function holdAll({ services }: World, { organizationId }: Place): Promise<void> {
  await transaction(services.db, async (trx) => {
    await lockNumbers(trx, organizationId)
    await holdNumbers(trx, organizationId)
  })
}

/** Ends the hold of every number, as their owner does. */
async function releaseAll({ services }: World, { organizationId, numbers }: Place): Promise<void> {
  for (const containerId of numbers) {
    await transaction(services.db, async (trx) => {
      const number = await lockNumber(trx, organizationId, containerId)
      if (!number?.queueHeldAt) return
      const areAllLocked = await lockGroupLanes(trx, organizationId)
      await openQueue(trx, organizationId, containerId, areAllLocked)
    })
  }
}

/** Makes every number of an organization work without limits, so that nothing has a reason to wait. */
export async function freeAll(world: World, place: Place): Promise<void> {
  await releaseAll(world, place)
  for (const containerId of place.numbers) {
    await report(world, place, containerId, 'WORKING')
    await setLimit(world, place, containerId, null)
  }
}

/** Makes one random step. */
export async function act(world: World, place: Place, random: Random): Promise<void> {
  const chosen = choose(random)
  let result = 'done'
  try {
    await chosen.run(world, place, random)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    result = error instanceof Replay ? 'replayed' : error instanceof Killed ? 'killed' : (code ?? message)
    const isExpected = error instanceof Replay || error instanceof Killed || refusals.has(result)
    if (!isExpected && !(world.anyCut && isCut(error))) world.faults.push(`${chosen.name}: ${result} ${message}`)
  }
  place.log.push(`${chosen.name}: ${result}`)
}

/** Ends one connection that is at work, as a crash of its process does. */
export async function cutConnection({ services }: World): Promise<void> {
  try {
    await rows(
      services.db,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' limit 1`,
    )
  } catch (error) {
    // Two may cut the connections of each other.
    if (!isCut(error)) throw error
  }
}
