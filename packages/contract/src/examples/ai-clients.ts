import * as cast from './cast.ts'

/** What the examples about AI clients share. */
export const at = '2030-01-01T09:00:00.000Z'
export const soon = '2030-01-01T09:15:00.000Z'

const id = (tail: string) => `0190b1a1-0c2d-7b3e-8f44-5a6b7c8d${tail}`

export const actionId = id('a005')
export const connectionId = id('a006')
export const requestId = id('a007')

export const client = { id: 'https://ai.example.com/client.json', name: 'Example AI', host: 'ai.example.com' } as const
export const connection = {
  id: connectionId,
  client,
  person: { id: cast.owner.id, name: cast.owner.name },
  scopes: ['read'],
  containerId: null,
  createdAt: at,
  lastUsedAt: null,
} as const

/** The caller of a tool that has no connection of its own. */
export const keyCaller = { id: null, name: 'account key' } as const
export const action = {
  id: actionId,
  tool: 'send_message',
  summary: `Send a message to ${cast.jane.phone}`,
  state: 'pending',
  approvalUrl: `https://example.com/approve#action=${actionId}`,
  requestedAt: at,
  expiresAt: soon,
  connection: keyCaller,
  decidedBy: null,
  decidedAt: null,
  result: null,
} as const
export const decided = { decidedBy: { id: cast.owner.id, name: cast.owner.name }, decidedAt: at } as const
export const settings = {
  enabled: true,
  sendsPerHour: 30,
  approve: 'strangers',
  keyScopes: ['read', 'send'],
} as const
