import { describe, expect, it } from 'vitest'
import { insertNumber } from '#numbers/records/store.ts'
import { newId } from '#platform/db/new-id.ts'
import { makeOrganization } from '#testing/make.ts'
import { testServices } from '#testing/services.ts'
import { budgetWaitMs, type CheckPurpose, takeChecks } from './check-budget.ts'

const services = await testServices()
const { organizationId } = await makeOrganization(services)

async function newSession(gateway = 'simulator') {
  const containerId = newId()
  await insertNumber(services.db, {
    id: containerId,
    organizationId,
    gateway,
    label: 'Test',
    instanceName: containerId,
  })
  return { containerId, organizationId }
}

/** Takes from the budget of a number whose minute holds `perMinute` questions. */
function taker(session: { containerId: string; organizationId: string }, perMinute: number) {
  return async (wanted: number, purpose: CheckPurpose = 'send') =>
    takeChecks({ ...services, config: { ...services.config, checksPerNumberPerMinute: perMinute } }, session, purpose, {
      now: wanted,
      inAll: wanted,
    })
}

describe('the check budget of a number', () => {
  it.each([1, 7, 60, 600, 12_000])('lets %i questions through at once and then none', async (perMinute) => {
    const take = taker(await newSession(), perMinute)
    expect((await take(perMinute + 5)).granted).toBe(perMinute)
    expect((await take(1)).granted).toBe(0)
  })

  it('is exact although many take from it at the same time, also for the very first time', async () => {
    const take = taker(await newSession(), 100)
    const grants = await Promise.all(Array.from({ length: 40 }, () => take(7)))
    expect(grants.reduce((sum, { granted }) => sum + granted, 0)).toBe(100)
  })

  it('fills up with time, to a whole minute at most', async () => {
    const take = taker(await newSession(), 60)
    await take(60)
    await services.clock.advance(30)
    expect((await take(60)).granted).toBe(30)
    await services.clock.advance(3600)
    expect((await take(100)).granted).toBe(60)
  })

  it('leaves a sixth to sends when a list takes the rest', async () => {
    const take = taker(await newSession(), 60)
    expect((await take(100, 'list')).granted).toBe(50)
    expect((await take(1, 'list')).granted).toBe(0)
    expect((await take(100, 'send')).granted).toBe(10)
  })

  it('is not shared with other numbers', async () => {
    await taker(await newSession(), 5)(5)
    expect((await taker(await newSession(), 5)(5)).granted).toBe(5)
  })

  it('has nothing for a number that was removed, or that is another organization’s', async () => {
    expect((await taker({ containerId: newId(), organizationId }, 5)(5)).granted).toBe(0)
    const { containerId } = await newSession()
    const stranger = await makeOrganization(services)
    expect((await taker({ containerId, organizationId: stranger.organizationId }, 5)(5)).granted).toBe(0)
    expect((await taker({ containerId, organizationId }, 5)(5)).granted).toBe(5)
  })

  it('says after which time the rest may be asked', async () => {
    const take = taker(await newSession(), 60)
    await take(58)
    const { granted, retryAfterMs } = await take(10)
    expect({ granted, retryAfterMs }).toEqual({ granted: 2, retryAfterMs: 8000 })
    await services.clock.advance(retryAfterMs / 1000)
    expect((await take(8)).granted).toBe(8)
  })
})

describe('the limits of a number on a real network', () => {
  const usual = (session: { containerId: string; organizationId: string }, change = {}) => {
    const config = { ...services.config, ...change }
    return async (wanted: number) =>
      takeChecks({ ...services, config }, session, 'send', { now: wanted, inAll: wanted })
  }

  it('are 60 a minute and 1,000 a day', async () => {
    const take = usual(await newSession('other'))
    let granted = 0
    for (let minute = 0; minute < 20; minute++) {
      granted += (await take(100)).granted
      if (minute === 0) expect(granted).toBe(60)
      await services.clock.advance(60)
    }
    // A day fills up again evenly: 20 minutes bring another 13.
    expect(granted).toBeGreaterThanOrEqual(1000)
    expect(granted).toBeLessThanOrEqual(1014)
    const { retryAfterMs } = await take(100)
    expect(retryAfterMs).toBeGreaterThan(0)
    expect(retryAfterMs).toBeLessThanOrEqual(86_400)
    await services.clock.advance(retryAfterMs / 1000)
    expect((await take(1)).granted).toBe(1)
  })

  it('are those of the settings for every network', async () => {
    const change = { checksPerNumberPerMinute: 5, checksPerNumberPerDay: 7 }
    for (const gateway of ['other', 'simulator']) {
      const take = usual(await newSession(gateway), change)
      expect((await take(10)).granted).toBe(5)
      await services.clock.advance(60)
      expect((await take(10)).granted).toBe(2)
    }
  })

  it('are 12,000 a minute and 100,000 a day on the simulated one', async () => {
    const take = usual(await newSession())
    let granted = 0
    for (let minute = 0; minute < 9; minute++) {
      const now = (await take(20_000)).granted
      if (minute === 0) expect(now).toBe(12_000)
      granted += now
      await services.clock.advance(60)
    }
    // A day fills up again evenly: 9 minutes bring another 625.
    expect(granted).toBeGreaterThanOrEqual(100_000)
    expect(granted).toBeLessThanOrEqual(100_625)
  })
})

describe('the wait for questions', () => {
  it.each([
    [60, 0, 60_000, 1, 1000],
    [60, 0, 60_000, 1000, 60_000],
    [60, 0, 30_000, 10, 0],
    [60, 10, 50_000, 5, 5000],
    [12_000, 2000, 50_000, 10_000, 50_000],
  ])('of %i a minute with %i kept and %i ms in use is for %i of them %i ms', (perMinute, keep, usedMs, missing, ms) => {
    expect(budgetWaitMs({ perMinute, keep }, usedMs, missing)).toBeCloseTo(ms, 6)
  })
})
