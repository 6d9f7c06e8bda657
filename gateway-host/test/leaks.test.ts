import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { useOf } from './host-figures.ts'
import { openHostLab } from './host-lab.ts'

/** `npm run gateway -- leaks` sets how many there are. */
const cycles = Number(process.env.GATEWAY_CYCLES ?? 4)
const phones = ['15554470001', '15554470002', '15554470003']
const warmUp = 2
/** What the memory of a process may vary by. */
const toleranceMb = 40
/** V8 collects when it has to: with a small heap, garbage does not look like memory that is kept. */
const lab = await openHostLab({ NODE_OPTIONS: '--max-old-space-size=80' })

describe(`a host whose numbers connect and disconnect ${cycles} times`, () => {
  it('keeps no handle, no file and no memory of the connections', { timeout: 3_600_000 }, async () => {
    const sessions = await Promise.all(phones.map((phone) => lab.link(phone)))
    const states = async () =>
      (await Promise.all(sessions.map((one) => lab.driver.state(one)))).map(({ status }) => status)

    /** Cuts every connection, and then restarts every number. */
    async function cycle(): Promise<void> {
      for (const disconnect of [
        () => Promise.all(phones.map((phone) => lab.net.cut({ phone }))),
        () => Promise.all(sessions.map((session) => lab.driver.restart(session))),
      ]) {
        const { logins } = await lab.net.counts({})
        await disconnect()
        const again = async () => (await lab.net.counts({})).logins - logins >= phones.length
        await expect.poll(again, { timeout: 60_000 }).toBe(true)
        await expect.poll(async () => new Set(await states()), { timeout: 60_000 }).toEqual(new Set(['WORKING']))
      }
    }

    for (let n = 0; n < warmUp; n++) await cycle()
    await wait(1000)
    const before = useOf(await lab.metrics())
    for (let n = 0; n < cycles; n++) await cycle()
    // Connections that ended close a moment later.
    await expect.poll(async () => useOf(await lab.metrics()).handles).toBeLessThanOrEqual(before.handles + 2)
    const after = useOf(await lab.metrics())
    process.stderr.write(`${cycles} cycles of ${phones.length} numbers: ${JSON.stringify({ before, after })}\n`)
    expect(after.files).toBeLessThanOrEqual(before.files + 2)
    expect(after.residentMb).toBeLessThan(before.residentMb + toleranceMb)
  })
})
