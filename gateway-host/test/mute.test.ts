import { describe, expect, it, onTestFinished } from 'vitest'
import { openHostLab } from './host-lab.ts'

const lab = await openHostLab({ GATEWAY_KEEP_ALIVE_SECONDS: '1' })
const { driver, net } = lab
const to = { kind: 'phone', digits: '12025550100' } as const

describe('a connection that stays open and says nothing any more', { timeout: 60_000 }, () => {
  it('ends 5 s after a sign of life was due, and another one is made', async () => {
    const session = await lab.link('15554456101')
    onTestFinished(() => net.setFaults({}).then(() => undefined))
    await net.setFaults({ isMute: true })
    const isEnd = (line: string) => line.includes('connection_ended') && line.includes('"code":408')
    await expect.poll(() => lab.output().split('\n').filter(isEnd), { timeout: 15_000 }).toHaveLength(1)
    await net.setFaults({})
    await lab.becomes(session, 'WORKING')
    const text = { kind: 'text', text: 'heard again' } as const
    expect((await driver.send(session, to, text, { clientId: 'AGAIN', timeoutMs: 10_000 })).status).toBe('sent')
  })
})

describe('a network that loses queries', { timeout: 200_000 }, () => {
  it('gets each message once, also when it has to be repeated', async () => {
    const phone = '15554456102'
    const session = await lab.link(phone)
    onTestFinished(() => net.setFaults({}).then(() => undefined))
    await net.setFaults({ loseEveryQuery: 6, latencyMs: 50 })
    const people = Array.from({ length: 4 }, (_, n) => `120255561${String(n).padStart(2, '0')}`)
    for (const digits of people) {
      const send = () =>
        driver.send(
          session,
          { kind: 'phone', digits },
          { kind: 'text', text: 'once' },
          { clientId: `TO ${digits}`, timeoutMs: 2000 },
        )
      await expect.poll(() => send().catch(() => null), { timeout: 50_000 }).not.toBeNull()
    }
    const shown = (await net.transcript({ from: phone })).messages
    expect(shown.map(({ to: by }) => by).sort()).toEqual(people)
  })
})
