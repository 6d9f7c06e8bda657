import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { rows } from '../../packages/server/src/db/db.ts'
import { useOf } from './host-figures.ts'
import { openHostLab } from './host-lab.ts'

/** `npm run gateway -- many` sets how many there are. */
const count = Number(process.env.GATEWAY_NUMBERS ?? 10)
const atOnce = 5
const idleMs = 20_000
const lab = await openHostLab({ GATEWAY_CAPACITY: String(count) })

describe(`a host of ${count} numbers`, () => {
  it('connects all of them, and again when it is replaced', { timeout: 3_600_000 }, async () => {
    const before = useOf(await lab.metrics())
    const linkedAtMs = performance.now()
    const phones = Array.from({ length: count }, (_, n) => `1555448${String(n).padStart(4, '0')}`)
    const left = [...phones]
    const linkNext = async (): Promise<void> => {
      for (let phone = left.shift(); phone; phone = left.shift()) await lab.link(phone)
    }
    await Promise.all(Array.from({ length: atOnce }, linkNext))
    const linkSeconds = (performance.now() - linkedAtMs) / 1000
    const linked = useOf(await lab.metrics())
    await wait(Math.min(idleMs, count * 100))
    const idle = useOf(await lab.metrics())
    const idleSeconds = Math.min(idleMs, count * 100) / 1000
    const { logins } = await lab.net.counts({})
    const replacedAtMs = performance.now()
    await lab.replaceHost(async () => undefined)
    const again = async () => (await lab.net.counts({})).logins - logins
    await expect.poll(again, { timeout: 1_200_000, interval: 500 }).toBeGreaterThanOrEqual(count)
    const reconnectSeconds = (performance.now() - replacedAtMs) / 1000
    const after = useOf(await lab.metrics())
    const [size] = await rows<{ bytes: number }>(
      lab.db,
      `select pg_total_relation_size('gateway_keys')::float8 + pg_total_relation_size('gateway_sessions') as bytes`,
    )
    const figures = {
      secondsToLinkOne: Number((linkSeconds / count).toFixed(2)),
      mbForEach: Number(((idle.residentMb - before.residentMb) / count).toFixed(2)),
      mbForEachAfterReconnect: Number(((after.residentMb - before.residentMb) / count).toFixed(2)),
      idleCpuPercent: Number((((idle.cpuSeconds - linked.cpuSeconds) / idleSeconds) * 100).toFixed(1)),
      secondsToReconnectAll: Math.round(reconnectSeconds),
      databaseKbForEach: Math.round((size?.bytes ?? 0) / 1024 / count),
    }
    process.stderr.write(`${count} numbers: ${JSON.stringify({ ...figures, before, idle, after })}\n`)
    expect(figures.mbForEach).toBeLessThan(count < 50 ? 20 : 5)
  })
})
