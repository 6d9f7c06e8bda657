import { describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { claim } from './claim.ts'
import { enqueueTexts } from './enqueue.ts'
import { standardPace } from './pace.ts'
import { nextLaneAt } from './queue-store.ts'

const server = await startTestServer({ worker: false })
const { services } = server
await services.clock.freeze()

describe('high messages of a number that is slow to take them', () => {
  it('stop at a hundred in one process, while other numbers continue and other processes help', async () => {
    const organization = await makeOrganization(server)
    const [slow, quick] = [await makeNumber(server, organization), await makeNumber(server, organization)]
    const { organizationId } = organization
    const high = (containerId: string) => ({
      organizationId,
      containerId,
      pinned: true,
      type: 'alert' as const,
      recipient: '12025550150',
      text: 'now',
      priority: 'high' as const,
      clientReference: null,
    })
    await services.db.transaction((trx) =>
      enqueueTexts(trx, services.clock, [...Array(300).fill(high(slow)), ...Array(120).fill(high(quick))]),
    )
    const holding = new Map<string, number>()
    const held = (containerId: string) => holding.get(containerId) ?? 0
    const claimed = async () => {
      for (const { containerId } of await claim(services, standardPace, 10_000, held)) {
        holding.set(containerId, held(containerId) + 1)
      }
      return [held(slow), held(quick)]
    }
    expect(await claimed()).toEqual([50, 50])
    expect(await claimed()).toEqual([100, 100])
    // The quick one has sent its messages by now, the slow one has not.
    holding.set(quick, 0)
    await server.advance(1)
    expect(await claimed()).toEqual([100, 20])
    // It is not polled again and again while none of its messages can be claimed.
    expect(await claimed()).toEqual([100, 20])
    expect((await nextLaneAt(services.db))?.getTime()).toBe(services.clock.now().getTime() + 250)
    await server.advance(1)
    expect(await claim(services, standardPace, 10_000)).toHaveLength(50)
  })
})
