import { numberReasonSentences, type SessionReason } from '@msgctl/contract'
import type { SessionState } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { aNumber } from '#testing/features/number.ts'
import { startTestServer } from '#testing/start-server.ts'
import { superviseDue } from './supervisor.ts'

const server = await startTestServer({ worker: false })
const { services } = server
let phones = 0

/** A number that works, and a way to report states of it. */
async function working() {
  phones += 1
  const number = await aNumber(server, `1202555${String(6000 + phones)}`)
  await number.scan()
  await number.becomes('WORKING')
  const { containerId, organizationId, client } = number
  const { sequence } = await services.gateway.state({ containerId, organizationId })
  let reports = 0
  const report = (state: Omit<SessionState, 'sequence' | 'me'>) => {
    reports += 1
    const at = services.clock.now()
    const reported = { ...state, me: null, sequence: sequence + reports }
    return handleGatewayEvents(services, [{ kind: 'session.state', containerId, organizationId, at, state: reported }])
  }
  return { ...number, report, status: () => client.numbers.status({ containerId }) }
}

/** Advances the clock, and runs the supervisor until no number is due. */
async function pass(seconds: number) {
  await server.advance(seconds)
  while (await superviseDue(services));
}

describe('a failure that the network calls final', () => {
  it.each<SessionReason>(['banned', 'locked', 'link_refused', 'client_outdated', 'replaced', 'passkey_required'])(
    'is FAILED at once, reported once and never retried: %s',
    async (reason) => {
      const number = await working()
      await number.report({ status: 'FAILED', reason, retry: 'never' })
      expect(await number.status()).toMatchObject({
        status: 'FAILED',
        reason,
        reasonMessage: numberReasonSentences[reason],
        manager: { lastError: numberReasonSentences[reason] },
      })
      for (let day = 0; day < 3; day++) await pass(86_400)
      expect((await number.status()).status).toBe('FAILED')
      expect((await number.history()).at(-1)).toBe(`WORKING FAILED ${reason} network`)
      const lost = (await number.events()).filter(({ event }) => event === 'session.disconnected')
      expect(lost).toHaveLength(1)
      expect(lost[0]?.data).toMatchObject({ message: numberReasonSentences[reason], retriesExhausted: true })
    },
  )

  it.each<[SessionReason, number, string]>([
    ['restricted', 104, 'it sent the same message to too many people (104).'],
    ['restricted', 199, 'The code of the network is 199.'],
    ['unknown', 409, 'The code of the network is 409.'],
  ])('says what its code adds: %s %i', async (reason, code, words) => {
    const number = await working()
    await number.report({ status: 'FAILED', reason, code, retry: 'never' })
    const { reasonCode, reasonMessage, manager } = await number.status()
    expect(reasonCode).toBe(code)
    expect(reasonMessage?.startsWith(numberReasonSentences[reason])).toBe(true)
    expect(reasonMessage).toContain(words)
    expect(manager.lastError).toBe(reasonMessage)
    await number.report({ status: 'WORKING' })
    expect(await number.status()).toMatchObject({ reasonCode: null })
  })

  it('can be started again by a person', async () => {
    const number = await working()
    await number.report({ status: 'FAILED', reason: 'locked', retry: 'never' })
    await number.client.numbers.start({ containerId: number.containerId })
    expect((await number.status()).status).not.toBe('FAILED')
    await number.report({ status: 'FAILED', reason: 'connection_lost' })
    expect((await number.status()).status).toBe('STARTING')
  })
})

describe('a failure with the time of the next attempt', () => {
  it('is retried then, and not before', async () => {
    const number = await working()
    const retry = new Date(services.clock.now().getTime() + 7_200_000)
    await number.report({ status: 'FAILED', reason: 'restricted', retry })
    expect(await number.status()).toMatchObject({ status: 'FAILED', reason: 'restricted', action: { type: 'wait' } })
    await pass(7_100)
    expect((await number.status()).status).toBe('FAILED')
    await pass(200)
    expect(await number.history()).toContain('FAILED STARTING retry supervisor')
  })

  it('follows a later report of another time', async () => {
    const number = await working()
    const now = services.clock.now().getTime()
    await number.report({ status: 'FAILED', reason: 'restricted', retry: new Date(now + 3_600_000) })
    await number.report({ status: 'FAILED', reason: 'restricted', retry: new Date(now + 86_400_000) })
    await pass(7_200)
    expect((await number.status()).status).toBe('FAILED')
    await number.report({ status: 'FAILED', reason: 'restricted', retry: 'never' })
    await pass(90_000)
    expect((await number.status()).status).toBe('FAILED')
  })
})

describe('linking with a passkey', () => {
  it('shows each step, and nothing of it once the number is linked', async () => {
    const number = await working()
    await number.report({ status: 'SCAN_QR_CODE', reason: 'logged_out' })
    expect((await number.status()).action.type).toBe('scan_qr')
    const challenge = { rpId: 'example.org', challenge: 'abc' }
    await number.report({ status: 'SCAN_QR_CODE', reason: 'passkey_required', link: { step: 'passkey', challenge } })
    expect(await number.status()).toMatchObject({ reason: 'passkey_required', action: { type: 'passkey' } })
    await number.report({ status: 'SCAN_QR_CODE', link: { step: 'confirm', code: 'K4X9' } })
    const compare = { type: 'passkey', message: expect.stringContaining('K4X9') }
    expect((await number.status()).action).toMatchObject(compare)
    // A report that could not read the step again.
    await number.report({ status: 'SCAN_QR_CODE', reason: 'passkey_required' })
    expect((await number.status()).action).toMatchObject(compare)
    await number.report({ status: 'SCAN_QR_CODE' })
    expect(await number.status()).toMatchObject({ reason: null, action: { type: 'scan_qr' } })
    await number.report({ status: 'WORKING' })
    expect(await number.status()).toMatchObject({ status: 'WORKING', action: { type: 'none' } })
  })
})

it('explains every change in the history', async () => {
  const number = await working()
  await number.report({ status: 'SCAN_QR_CODE', reason: 'logged_out' })
  const { history } = await number.client.numbers.history({ containerId: number.containerId })
  expect(history[0]).toMatchObject({ reason: 'logged_out', message: numberReasonSentences.logged_out })
})
