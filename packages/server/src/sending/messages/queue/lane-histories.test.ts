import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { rowWatch } from '#platform/db/row-watch.ts'
import { seededRandom } from '#testing/features/lane.ts'
import { act, cutConnection } from '#testing/lane-histories/actions.ts'
import { checkDrained, checkEnded, forget } from '#testing/lane-histories/check.ts'
import { makeWorld, noNetwork } from '#testing/lane-histories/world.ts'
import { testServices } from '#testing/services.ts'

// Random histories of the queue on Postgres. Those of a round run at once, each with an organization of its own and
// three processes; a claim finds the messages of all. lane-model.test.ts tries every interleaving, but only in a model.

const histories = Number(process.env.LANE_HISTORIES ?? 150)
const firstSeed = Number(process.env.LANE_SEED ?? 1)
const isLong = histories > 1000
const perRound = 50
const processes = 3
const stepsOfProcess = 5
/** In one round of so many, connections are cut. */
const roundsPerCut = 3

const services = await testServices({ services: { gateway: noNetwork } })
const { db } = services

/** Plays the histories of one round, and returns what is wrong. */
async function playRound(seed: number): Promise<string[]> {
  const world = await makeWorld(services, perRound, seededRandom(seed))
  world.anyCut = seed % roundsPerCut === 0
  await Promise.all(
    world.places.flatMap((place, nth) =>
      Array.from({ length: processes }, async (_, process) => {
        const random = seededRandom((seed * perRound + nth) * processes + process)
        for (let step = 0; step < stepsOfProcess; step += 1) {
          if (world.anyCut && random() < 0.02) await cutConnection(world)
          await act(world, place, random)
        }
      }),
    ),
  )
  await checkEnded(world)
  await checkDrained(world)
  await forget(world)
  const { faults, places } = world
  const logs = places.filter(({ organizationId }) => faults.some((fault) => fault.includes(organizationId)))
  return [...faults, ...logs.map((place) => JSON.stringify(place))]
}

it(`loses no message, leaves none waiting that is due, and claims none twice: ${histories} histories`, async () => {
  const name = new URL(String(db.client.config.connection.connectionString)).pathname.slice(1)
  // Postgres ends a deadlock, and the transaction is repeated. The histories need not wait a second for it.
  await db.raw(`alter database ${name} set deadlock_timeout = '20ms'`)
  // To compare each row with its type takes half of the time.
  if (isLong) delete rowWatch.begin
  const startedAt = performance.now()
  for (let round = 0; round * perRound < histories; round += 1) {
    const seed = firstSeed + round
    const faults = await playRound(seed)
    expect(faults, `LANE_SEED=${seed}, after ${round * perRound} histories`).toEqual([])
    if (isLong && round % 100 === 99) console.info(`${(round + 1) * perRound} histories`)
  }
  if (!isLong) return
  const [figures] = await rows<{ deadlocks: number }>(
    db,
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.info(`${histories} histories in ${seconds} s; Postgres ended ${figures?.deadlocks} deadlocks`)
}, 7_200_000)
