import { numberReasonSentences } from '../../model/number-reasons.ts'
import * as cast from './cast.ts'
import type { Outputs } from './examples.ts'

const { sales, secrets, support } = cast

const success = true
const me = { id: `${support.phone}@c.us`, pushName: 'Example Shop' } as const
const supportNumber = {
  id: support.containerId,
  instanceName: support.session,
  label: support.label,
  phoneNumber: support.phone,
  status: 'WORKING',
  isDefault: true,
  connected: true,
  queueHeld: false,
  me,
  hasApiKey: true,
  apiKeyPreview: 'msn_0123…',
  apiKeyLastUsedAt: cast.now,
  createdAt: '2026-10-05T08:15:00.000Z',
} as const
const salesNumber = {
  id: sales.containerId,
  instanceName: sales.session,
  label: sales.label,
  phoneNumber: null,
  status: 'STARTING',
  isDefault: false,
  connected: false,
  queueHeld: false,
  me: null,
  hasApiKey: false,
  apiKeyPreview: null,
  apiKeyLastUsedAt: null,
  createdAt: cast.now,
} as const

const sendGroup = {
  enabled: true,
  containerIds: [support.containerId, sales.containerId],
  mode: 'backup',
  sticky: true,
} as const
const key = {
  success,
  apiKey: secrets.numberKey,
  containerId: support.containerId,
  label: support.label,
  warning: 'Store this key now. It cannot be shown again.',
} as const
const profile = {
  containerId: support.containerId,
  id: me.id,
  name: 'Example Shop',
  about: 'Open from 9 to 5',
  pictureUrl: null,
} as const
const containerId = support.containerId

/** Example responses of the routes of numbers. */
export const ofNumbers = {
  numbers: {
    list: {
      sessions: [supportNumber, salesNumber],
      maxSessions: 3,
      usedSessions: 2,
      canCreate: true,
      allowance: { capped: true, included: 3, extra: 0, extraExpiresAt: null, used: 2, max: 3, over: 0 },
    },
    create: { success, session: salesNumber },
    update: { success, session: supportNumber },
    delete: { success },
    sendGroup: { success, sendGroup },
    setSendGroup: { success, sendGroup },
    release: { success, messages: 12 },
    generateKey: { ...key, apiKeyPreview: 'msn_0123…' },
    regenerateKey: key,
    deleteKey: { success },
    status: {
      session: support.session,
      containerId,
      status: 'WORKING',
      connected: true,
      me,
      engine: 'simulator',
      reason: null,
      reasonMessage: null,
      reasonCode: null,
      linkWarning: null,
      networkWarning: null,
      restrictedUntil: null,
      manager: {
        retryCount: 0,
        maxRetries: 5,
        totalRecoveries: 2,
        totalFailures: 2,
        queuesPaused: false,
        lastHealthy: cast.now,
        connectedSince: '2026-11-03T06:18:00.000Z',
        lastErrorAt: '2026-11-03T06:17:20.000Z',
        uptime: '3 h 12 min',
        uptimeSeconds: 11_520,
        lastError: 'The connection to the network was lost.',
      },
      action: { type: 'none', message: 'Nothing to do: the number can send.', canLogout: true },
      guard: {
        version: 1,
        daysLinked: 4,
        newConversations: { used: 12, allowed: 40 },
        lastHour: { used: 9, allowed: 40 },
        lastDay: { used: 61, allowed: 200 },
        blockedUntil: null,
        networkQuota: null,
        campaignsStopped: false,
        held: 0,
      },
    },
    qr: {
      status: 'SCAN_QR_CODE',
      qr: {
        image: 'data:image/png;base64,iVBORw0KGgo=',
        expiresInSeconds: 60,
        message: 'Open the app on the phone, choose Linked devices, and scan this code.',
      },
    },
    pair: { status: 'code_sent', code: 'K7QM4T2X', message: 'Enter this code on the phone under Linked devices.' },
    start: { status: 'starting', message: 'The number is starting.' },
    stop: { status: 'stopped', message: 'The number is stopped. Its link to the phone stays.', containerId },
    reconnect: { status: 'starting', message: 'The connection is being restarted.', containerId },
    logout: {
      status: 'logged_out',
      message: 'The number is no longer linked. Scan a new QR to link it again.',
      containerId,
      heldMessages: 0,
    },
    history: {
      containerId,
      total: 2,
      page: 1,
      limit: 20,
      history: [
        {
          at: '2026-11-03T06:18:00.000Z',
          from: 'STARTING',
          to: 'WORKING',
          reason: null,
          message: null,
          source: 'network',
        },
        {
          at: '2026-11-03T06:17:20.000Z',
          from: 'WORKING',
          to: 'STARTING',
          reason: 'connection_lost',
          message: numberReasonSentences.connection_lost,
          source: 'supervisor',
        },
      ],
    },
    profile,
    setProfile: profile,
  },
} as const satisfies Outputs
