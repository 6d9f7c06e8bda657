import { afterEach, describe, expect, it } from 'vitest'
import { aNumber } from '#testing/features/number.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { superviseDue } from './supervisor.ts'

const server = await startTestServer({ worker: false })
let phones = 0
const people = ['12025550201', '12025550202', '12025550203', '12025550201', '12025550202']
const minuteSeconds = 60

async function working() {
  phones += 1
  const number = await aNumber(server, `1202555${String(7000 + phones)}`)
  await number.scan()
  await number.becomes('WORKING')
  return number
}
type Number = Awaited<ReturnType<typeof working>>

/** Sends to each of them at once, whatever comes of it. */
async function send({ client, containerId }: Number, to: readonly string[]): Promise<void> {
  for (const phone of to) {
    await client.alert.sendLocation({ containerId, phone, latitude: 1, longitude: 2 }).catch(() => undefined)
  }
}

/** Lets minutes pass, with a look of the supervisor at each; the network's own word of a restart is heard. */
async function minutes(number: Number, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await server.advance(minuteSeconds)
    while (await superviseDue(server.services));
    if ((await number.client.numbers.status()).status === 'STARTING') await number.applyNetworkState()
  }
}

const fault = (rates: Record<string, number>) => sim(server, 'PUT faults', { send: rates })
const reconnections = async (number: Number) => (await number.history()).filter((one) => one.includes('no_acks'))
afterEach(() => sim(server, 'DELETE faults'))

describe('a number that works while the network acknowledges nothing', () => {
  it.each([
    ['the driver takes everything and the network is silent', { unacknowledged: 1 }],
    ['every send times out', { timeout_not_sent: 1 }],
  ])(
    'is reconnected once and fails the second time: %s',
    async (_what, rates) => {
      const number = await working()
      const { client, containerId } = number
      await fault(rates)
      await send(number, people)
      await minutes(number, 4)
      expect(await reconnections(number)).toEqual([])
      await minutes(number, 3)
      expect(await reconnections(number)).toEqual(['WORKING STARTING no_acks supervisor'])
      expect(await number.events()).toEqual([])
      expect((await client.numbers.status()).status).toBe('WORKING')
      await send(number, people)
      await minutes(number, 7)
      expect((await reconnections(number)).at(1)).toBe('WORKING FAILED no_acks supervisor')
      expect(await number.events()).toMatchObject([
        {
          event: 'session.disconnected',
          data: {
            status: 'FAILED',
            message:
              'The network acknowledged nothing that the number sent. Check the phone, then reconnect the number.',
            retriesExhausted: false,
            containerId,
          },
        },
        // The supervisor reconnected it a few seconds later.
        { event: 'session.recovered' },
      ])
      await number.remove()
    },
    60_000,
  )

  it.each([
    ['four sends are too few', people.slice(0, 4)],
    ['two people are too few', ['12025550201', '12025550202', '12025550201', '12025550202', '12025550201']],
  ])('is left alone when %s', async (_what, to) => {
    const number = await working()
    await fault({ unacknowledged: 1 })
    await send(number, to)
    await minutes(number, 10)
    expect(await reconnections(number)).toEqual([])
    await number.remove()
  })

  it('is left alone when the network took anything since', async () => {
    const number = await working()
    await fault({ unacknowledged: 1 })
    await send(number, people)
    await sim(server, 'DELETE faults')
    await send(number, ['12025550204'])
    await minutes(number, 10)
    expect(await reconnections(number)).toEqual([])
    await number.remove()
  })

  it('is left alone when the network takes what no phone receives: phones may be off', async () => {
    const number = await working()
    await send(number, ['12025550120', '12035550120', '12045550120', '12055550120', '12065550120'])
    await minutes(number, 10)
    expect(await reconnections(number)).toEqual([])
    await number.remove()
  })
})
