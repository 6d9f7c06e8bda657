import * as cast from './cast.ts'
import * as people from './cast-people.ts'

const success = true as const
const at = '2030-01-01T09:00:00.000Z'
const soon = '2030-01-01T09:15:00.000Z'

const action = {
  id: people.actionId,
  tool: 'send_message',
  summary: `Send a message to ${cast.jane.phone}`,
  state: 'pending' as const,
  approvalUrl: `https://example.com/console/connections/${people.actionId}`,
  requestedAt: at,
  expiresAt: soon,
  connection: { id: null, name: 'account key' },
  decidedBy: null,
  decidedAt: null,
  result: null,
}
const decided = { decidedBy: { id: cast.owner.id, name: cast.owner.name }, decidedAt: at }
const settings = {
  enabled: true,
  sendsPerHour: 30,
  approve: 'strangers' as const,
  keyScopes: ['read' as const, 'send' as const],
}

const client = { id: 'https://ai.example.com/client.json', name: 'Example AI', host: 'ai.example.com' }
const connection = {
  id: people.connectionId,
  client,
  person: { id: cast.owner.id, name: cast.owner.name },
  scopes: ['read' as const],
  containerId: null,
  createdAt: at,
  lastUsedAt: null,
}

/** Example responses of the routes about requests of AI clients. */
export const ofAiRequests = {
  request: {
    success,
    request: {
      id: people.requestId,
      client,
      redirect: { host: 'ai.example.com', kind: 'web' as const },
      scopes: ['read' as const, 'send' as const],
      expiresAt: soon,
      numbers: [{ containerId: cast.support.containerId, label: cast.support.label, phoneNumber: cast.support.phone }],
    },
  },
  approve: {
    success,
    redirectTo: 'https://ai.example.com/callback?code=example&state=xyz&iss=https%3A%2F%2Fexample.com',
  },
  deny: { success, redirectTo: 'https://ai.example.com/callback?error=access_denied&state=xyz' },
}

/** Example responses of the routes about AI clients. */
export const ofAiClients = {
  connections: { success, connections: [connection] },
  updateConnection: { success, connection },
  endConnection: { success },
  actions: { success, actions: [action] },
  action: {
    success,
    action,
    preview: {
      reason: 'This person has never written to the organization.',
      recipient: cast.jane.phone,
      text: cast.order.text,
      people: 1,
      samples: [],
    },
  },
  approve: {
    success,
    action: {
      ...action,
      ...decided,
      state: 'done' as const,
      result: { messageId: cast.order.messageId, status: 'queued' },
    },
  },
  deny: { success, action: { ...action, ...decided, state: 'denied' as const } },
  calls: {
    success,
    calls: [
      {
        id: '2201',
        at,
        tool: 'send_message',
        connection: action.connection,
        outcome: 'waiting' as const,
        code: null,
        ms: 12,
        phone: '…0100',
      },
    ],
    nextCursor: null,
  },
  settings: { success, settings },
  setSettings: { success, settings },
}
