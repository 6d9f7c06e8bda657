import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Services } from '#services.ts'
import { deliveryBench } from '#testing/features/deliveries.ts'
import { startReceiver } from '#testing/features/receiver.ts'

const { services, start, subscriber, appendSamples, settled } = await deliveryBench()

/** The services of a process whose machine is `aheadMs` ahead of the database, and what it logs. */
function skewed() {
  const machine = { aheadMs: 0 }
  const events: string[] = []
  const write = (line: string) => void events.push(String(JSON.parse(line).event))
  const own: Services = {
    ...services,
    config: { ...services.config, serviceName: 'Skewed' },
    clock: { ...services.clock, aheadMs: () => machine.aheadMs },
    log: pino({ level: 'info' }, { write }),
  }
  return { machine, events, own }
}

describe('a worker whose clock is wrong', () => {
  it.each([60_001, -60_001])('leaves deliveries to others while it is %i ms ahead', async (aheadMs) => {
    const { machine, events, own } = skewed()
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url)
    machine.aheadMs = aheadMs
    start({}, own)
    await expect.poll(() => events, { interval: 5 }).toContain('webhook_clock_wrong')
    await appendSamples(organizationId)
    start()
    await settled(organizationId, ({ status }) => status === 'delivered')
    expect(receiver.received.map(({ headers }) => headers['user-agent'])).toEqual(['Acme/1.0'])
  })

  it('delivers at up to a minute', async () => {
    const { machine, events, own } = skewed()
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url)
    machine.aheadMs = 60_000
    start({}, own)
    await appendSamples(organizationId)
    await settled(organizationId, ({ status }) => status === 'delivered')
    expect(events).toEqual([])
  })

  it('gives back what it had claimed when its clock stepped, and delivers it once the clock is right', async () => {
    const { machine, events, own } = skewed()
    let letGo = () => {}
    const first = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const receiver = await startReceiver((_request, number) => (number === 2 ? first.then(() => 200) : 200))
    const { organizationId } = await subscriber(receiver.url)
    start({ limits: { fast: 64, slow: 8, perEndpoint: 1, prefetch: 8 } }, own)
    await appendSamples(organizationId)
    await settled(organizationId, ({ status }) => status === 'delivered')
    await appendSamples(organizationId, 3)
    await receiver.arrived(2)
    machine.aheadMs = 600_000
    letGo()
    await expect.poll(() => events, { interval: 5 }).toEqual(['webhook_clock_wrong'])
    expect(receiver.received).toHaveLength(2)
    machine.aheadMs = 0
    await receiver.arrived(4)
    expect(events).toEqual(['webhook_clock_wrong', 'webhook_clock_right'])
  })
})
