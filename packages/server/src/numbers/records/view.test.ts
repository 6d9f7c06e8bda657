import { numberReasonSentences } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import type { NumberRow } from './store.ts'
import { connectionView, formatDuration, numberView } from './view.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const now = new Date('2026-03-01T12:00:00Z')

const working: NumberRow = {
  id: '0195a0c0-0000-7000-8000-000000000001',
  gateway: 'simulator',
  organizationId: '0195a0c0-0000-7000-8000-000000000002',
  label: 'Shop',
  instanceName: 'number-1',
  isDefault: true,
  status: 'WORKING',
  statusAt: now,
  desiredState: 'running',
  phoneNumber: '12025550001',
  networkId: '12025550001@c.us',
  pushName: null,
  lastLinkedPhone: '12025550001',
  linkedAt: now,
  everLinked: true,
  queueHeldAt: null,
  reportSequence: 0,
  lastReportedProblem: null,
  downSince: null,
  retryCount: 0,
  totalRecoveries: 0,
  totalFailures: 0,
  connectedSince: new Date(now.getTime() - 90 * minute),
  lastHealthyAt: new Date(now.getTime() - minute),
  lastErrorAt: null,
  lastError: null,
  statusSince: now,
  statusReason: null,
  statusCode: null,
  nextCheckAt: now,
  missedProbes: 0,
  exhaustionReported: false,
  noAcksAt: null,
  retryAt: null,
  isFinal: false,
  linkStep: null,
  blockedUntil: null,
  restrictedUntil: null,
  apiKeyPreview: null,
  apiKeyLastUsedAt: null,
  createdAt: now,
}

describe('a length of time in words', () => {
  it.each([
    [-5, '0 s'],
    [0, '0 s'],
    [999, '0 s'],
    [59.9 * second, '59 s'],
    [minute, '1 min'],
    [59 * minute + 59 * second, '59 min'],
    [hour, '1 h 0 min'],
    [3 * hour + 12 * minute, '3 h 12 min'],
    [24 * hour, '1 d 0 h'],
    [53 * hour + 59 * minute, '2 d 5 h'],
  ])('%d ms read %s', (ms, words) => {
    expect(formatDuration(ms)).toBe(words)
  })
})

describe('the connection state record', () => {
  it('shows when a working number was confirmed last, and how long it has been connected', () => {
    expect(connectionView(working, { now, production: false })).toMatchObject({
      connected: true,
      engine: 'simulator',
      me: { id: '12025550001@c.us', pushName: '' },
      manager: {
        queuesPaused: false,
        lastHealthy: new Date(now.getTime() - minute).toISOString(),
        uptime: '1 h 30 min',
        uptimeSeconds: 5400,
        maxRetries: 5,
      },
      action: { type: 'none', canLogout: true },
    })
  })

  it.each([
    ['SCAN_QR_CODE', 'scan_qr'],
    ['STARTING', 'wait'],
    ['STOPPED', 'start'],
    ['FAILED', 'reconnect'],
    ['UNREACHABLE', 'contact_support'],
  ] as const)('of one that is %s says: %s', (status, type) => {
    const view = connectionView({ ...working, status, connectedSince: null }, { now, production: false })
    const manager = { queuesPaused: true, uptime: '0 s', uptimeSeconds: 0 }
    expect(view).toMatchObject({ connected: false, manager, action: { type } })
    expect(view.manager.lastHealthy).toBe(working.lastHealthyAt?.toISOString())
  })

  it('shows that the queue is held, and what releases it', () => {
    expect(numberView({ ...working, queueHeldAt: now })).toMatchObject({ queueHeld: true, connected: true })
    const view = connectionView({ ...working, queueHeldAt: now }, { now, production: false })
    expect(view).toMatchObject({ connected: true, manager: { queuesPaused: true }, action: { type: 'release' } })
    expect(view.action.message).toContain('release')
  })

  it('asks for a start, which brings a new QR, when the last QR was never scanned', () => {
    const view = connectionView(
      { ...working, status: 'FAILED', statusReason: 'qr_expired' },
      { now, production: false },
    )
    expect(view.action).toMatchObject({ type: 'start', message: expect.stringContaining('QR') })
  })

  it.each([
    ['banned', 'contact_support'],
    ['locked', 'start'],
    ['client_outdated', 'contact_support'],
    ['replaced', 'start'],
    ['passkey_required', 'passkey'],
    ['unknown', 'start'],
  ] as const)('says what to do about a number that is %s for good: %s', (statusReason, type) => {
    const view = connectionView(
      { ...working, status: 'FAILED', statusReason, isFinal: true },
      { now, production: false },
    )
    expect(view).toMatchObject({ reason: statusReason, reasonMessage: numberReasonSentences[statusReason] })
    expect(view.action).toMatchObject({ type, message: numberReasonSentences[statusReason] })
  })

  it('says until when a restricted number waits', () => {
    const retryAt = new Date('2026-03-02T12:00:00Z')
    const view = connectionView(
      { ...working, status: 'FAILED', statusReason: 'restricted', retryAt },
      { now, production: false },
    )
    expect(view.action).toMatchObject({ type: 'wait', message: expect.stringContaining('2026-03-02T12:00:00.000Z') })
  })

  it('asks for a passkey, and for the comparison of a code, while a number is linked', () => {
    const linking = { ...working, status: 'SCAN_QR_CODE', statusReason: null, networkId: null } as const
    const passkey = connectionView(
      { ...linking, linkStep: { step: 'passkey', challenge: {} } },
      { now, production: false },
    )
    expect(passkey.action).toMatchObject({ type: 'passkey', message: expect.stringContaining('passkey') })
    const confirm = connectionView(
      { ...linking, linkStep: { step: 'confirm', code: 'K4X9' } },
      { now, production: false },
    )
    expect(confirm.action).toMatchObject({ type: 'passkey', message: expect.stringContaining('K4X9') })
    expect(
      connectionView({ ...linking, statusReason: 'passkey_required' }, { now, production: false }).action.type,
    ).toBe('passkey')
  })

  it('warns of a simulated network in production only, and of no real one', () => {
    expect(connectionView(working, { now, production: true }).networkWarning).toContain(
      'no message reaches a real phone',
    )
    expect(connectionView(working, { now, production: false }).networkWarning).toBeNull()
    expect(connectionView({ ...working, gateway: 'waha' }, { now, production: true }).networkWarning).toBeNull()
  })

  it('says that the network limits the account, and until when', () => {
    const restrictedUntil = new Date(now.getTime() + 300_000)
    const view = connectionView({ ...working, restrictedUntil }, { now, production: false })
    const message = expect.stringContaining(`limits what this account may send until ${restrictedUntil.toISOString()}`)
    expect(view).toMatchObject({
      status: 'WORKING',
      networkWarning: message,
      restrictedUntil: restrictedUntil.toISOString(),
      action: { type: 'wait', message },
    })
    const after = connectionView({ ...working, restrictedUntil: now }, { now, production: false })
    expect([after.networkWarning, after.restrictedUntil, after.action.type]).toEqual([null, null, 'none'])
  })

  it('shows no reason that it does not know', () => {
    const view = connectionView({ ...working, statusReason: 'something else' }, { now, production: false })
    expect([view.reason, view.reasonMessage]).toEqual([null, null])
  })

  it('offers to log out only while there is a link', () => {
    const view = connectionView({ ...working, status: 'SCAN_QR_CODE', networkId: null }, { now, production: false })
    expect(view).toMatchObject({ me: null, action: { canLogout: false } })
  })
})
