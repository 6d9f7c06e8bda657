import { mayMove, numberMoves } from '@msgctl/contract'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { aNumber } from '#testing/features/number.ts'
import { startTestServer } from '#testing/start-server.ts'
import { buildServer, startWorkerProcess } from '#testing/worker-process.ts'

const server = await startTestServer({ worker: false })
beforeAll(buildServer, 120_000)

const pauseMs = 50
const timeoutMs = 60_000

describe('two workers with one number, of which one is killed', () => {
  it('report a loss and a recovery once, and make no transition twice', async () => {
    const number = await aNumber(server, '12025558100')
    await number.scan()
    await number.becomes('WORKING')
    const workers = [startWorkerProcess(server.databaseUrl), startWorkerProcess(server.databaseUrl)]
    onTestFinished(async () => {
      await Promise.all(workers.map((worker) => worker.kill()))
    })
    /** Lets the time pass by steps, and the workers use it, until the number is in this status. */
    async function passUntil(status: string, seconds: number): Promise<void> {
      for (const until = performance.now() + timeoutMs; performance.now() < until; ) {
        if ((await number.client.numbers.status()).status === status) return
        if (seconds > 0) await server.advance(seconds)
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      throw new Error(`the number did not become ${status}`)
    }
    await number.control('drop', { seconds: 3600 })
    // A worker has to be there before the time flies.
    await passUntil('STARTING', 0)
    await passUntil('FAILED', 1)
    await workers.shift()?.kill()
    await passUntil('STARTING', 1)
    workers.push(startWorkerProcess(server.databaseUrl))
    await server.advance(3600)
    await passUntil('WORKING', 1)
    expect((await number.events()).map(({ event }) => event)).toEqual(['session.disconnected', 'session.recovered'])
    const { history } = await number.client.numbers.history({ limit: 100 })
    const moves = history.toReversed()
    for (const [i, { from, to }] of moves.entries()) {
      expect(from).toBe(moves[i - 1]?.to ?? null)
      expect(mayMove(numberMoves, from, to)).toBe(true)
    }
  }, 240_000)
})
