import * as cast from './cast.ts'

const { sales, support } = cast

/** The account that the number is linked to. */
const me = { id: `${support.phone}@c.us`, pushName: 'Example Shop' } as const

export const supportNumber = {
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
export const salesNumber = {
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

export const sendGroup = {
  enabled: true,
  containerIds: [support.containerId, sales.containerId],
  mode: 'backup',
  sticky: true,
} as const

/** A new key of a number. */
export const key = {
  apiKey: cast.secrets.numberKey,
  containerId: support.containerId,
  label: support.label,
  warning: 'Store this key now. It cannot be shown again.',
} as const

export const profile = {
  containerId: support.containerId,
  id: me.id,
  name: 'Example Shop',
  about: 'Open from 9 to 5',
  pictureUrl: null,
} as const

/** The state of the connection of the number that works. */
export const connectionState = {
  session: support.session,
  containerId: support.containerId,
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
} as const
