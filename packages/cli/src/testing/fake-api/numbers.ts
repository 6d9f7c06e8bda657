import { randomUUID } from 'node:crypto'
import { type Answer, type Routes, refusal } from './server.ts'
import type { FakeNumber, State } from './service.ts'

function record(number: FakeNumber) {
  const { status, hasApiKey } = number
  const me = number.phoneNumber === null ? null : { id: `${number.phoneNumber}@c.us`, pushName: 'Demo' }
  return {
    ...number,
    instanceName: `n-${number.label}`,
    connected: status === 'WORKING',
    me,
    apiKeyPreview: hasApiKey ? 'msn_b2b2b2...' : null,
    createdAt: '2026-11-01T08:00:00.000Z',
  }
}

function connection(number: FakeNumber) {
  return {
    session: `n-${number.label}`,
    containerId: number.id,
    status: number.status,
    connected: number.status === 'WORKING',
    me: record(number).me,
    engine: 'fake',
    manager: { retryCount: 0, queuesPaused: number.status !== 'WORKING', uptime: '1 h 2 min', lastError: null },
    action: { type: 'none', message: 'Nothing to do.', canLogout: true },
  }
}

/** The routes of the numbers. A number shows its QR twice, and is linked at the third look. */
export function numberRoutes(state: State): Routes {
  const looks = new Map<string, number>()
  const group = { enabled: false, containerIds: [] as string[], mode: 'backup', sticky: true }
  const withNumber = (id: string | undefined, answer: (number: FakeNumber) => Answer): Answer => {
    const number = state.numbers.find((each) => (id === undefined ? each.isDefault : each.id === id))
    return number ? answer(number) : refusal(404, 'NOT_FOUND', 'There is no such number.')
  }
  const key = (number: FakeNumber) => {
    number.hasApiKey = true
    const apiKey = `msn_${'b2'.repeat(32)}`
    const { id: containerId, label } = number
    return { success: true, apiKey, apiKeyPreview: 'msn_b2b2b2...', containerId, label, warning: 'Store this key now.' }
  }
  return {
    'GET /session/list': () => ({
      body: {
        sessions: state.numbers.map(record),
        maxSessions: 3,
        usedSessions: state.numbers.length,
        canCreate: state.numbers.length < 3,
        allowance: {},
      },
    }),
    'POST /session': ({ body }) => {
      const number = { id: randomUUID(), label: body.label, phoneNumber: null, status: 'SCAN_QR_CODE' }
      state.numbers.push({ ...number, isDefault: false, hasApiKey: false })
      return { status: 201, body: { success: true, session: record(state.numbers.at(-1) as FakeNumber) } }
    },
    'GET /session/status': ({ query }) => withNumber(query.containerId, (number) => ({ body: connection(number) })),
    'GET /session/qr': ({ query }) =>
      withNumber(query.containerId, (number) => {
        if (number.status === 'WORKING') return { body: { status: 'already_connected' } }
        if (number.status !== 'SCAN_QR_CODE')
          return { body: { status: number.status, message: 'Wait.', hint: 'Wait.' } }
        const look = (looks.get(number.id) ?? 0) + 1
        looks.set(number.id, look)
        if (look > 2) Object.assign(number, { status: 'WORKING', phoneNumber: '12025550198' })
        return {
          body: { status: 'SCAN_QR_CODE', qr: { text: `sim:${look}`, expiresInSeconds: 60, message: 'Scan it.' } },
        }
      }),
    'POST /session/pair': () => ({ body: { status: 'code_sent', code: 'ABCD1234', message: 'Type it on the phone.' } }),
    'POST /session/start': ({ body }) =>
      withNumber(body.containerId, (number) => {
        number.status = number.phoneNumber === null ? 'SCAN_QR_CODE' : 'WORKING'
        return { body: { status: 'starting', message: 'It is being started.', containerId: number.id } }
      }),
    'POST /session/stop': ({ body }) =>
      withNumber(body.containerId, (number) => {
        number.status = 'STOPPED'
        return { body: { status: 'stopped', message: 'It is stopped.', containerId: number.id } }
      }),
    'GET /session/send-group': () => ({ body: { success: true, sendGroup: group } }),
    'PUT /session/send-group': ({ body }) => ({ body: { success: true, sendGroup: Object.assign(group, body) } }),
    'PUT /session/:id': ({ body }, id) =>
      withNumber(id, (number) => {
        if (body.isDefault) for (const each of state.numbers) each.isDefault = false
        return { body: { success: true, session: record(Object.assign(number, body)) } }
      }),
    'DELETE /session/:id': (_seen, id) =>
      withNumber(id, (number) => {
        state.numbers.splice(state.numbers.indexOf(number), 1)
        return { body: { success: true } }
      }),
    'POST /session/:id/release': (_seen, id) => withNumber(id, () => ({ body: { success: true, messages: 2 } })),
    'POST /session/:id/generate-key': (_seen, id) =>
      withNumber(id, (number) =>
        number.hasApiKey ? refusal(409, 'CONFLICT', 'The number has a key.') : { status: 201, body: key(number) },
      ),
    'POST /session/:id/regenerate-key': (_seen, id) => withNumber(id, (number) => ({ body: key(number) })),
  }
}
