import { type Answer, type Routes, refusal } from './server.ts'
import type { FakeNumber, State } from './service.ts'

/** The routes that look after a connection. */
export function connectionRoutes(state: State): Routes {
  const profile: Record<string, unknown> = { id: '12025550199@c.us', name: 'Demo', about: null, pictureUrl: null }
  const changes = [
    { from: null, to: 'STARTING', reason: 'added', source: 'user' },
    { from: 'STARTING', to: 'WORKING', reason: null, source: 'network' },
  ].map((change, second) => ({ at: `2026-11-01T08:00:0${second}.000Z`, ...change }))
  const withNumber = (id: string | undefined, answer: (number: FakeNumber) => Answer): Answer => {
    const number = state.numbers.find((each) => (id === undefined ? each.isDefault : each.id === id))
    return number ? answer(number) : refusal(404, 'NOT_FOUND', 'There is no such number.')
  }
  return {
    'POST /session/reconnect': ({ body }) =>
      withNumber(body?.containerId, ({ id, status }) => {
        if (status === 'STOPPED') return refusal(400, 'FORBIDDEN_ACTION', 'The number is stopped; start it instead.')
        return { body: { status: 'starting', message: 'It is being restarted.', containerId: id } }
      }),
    'POST /session/logout': ({ body }) =>
      withNumber(body?.containerId, (number) => {
        number.status = 'SCAN_QR_CODE'
        const answer = { status: 'logged_out', message: 'The phone is no longer linked.' }
        return { body: { ...answer, containerId: number.id, heldMessages: 2 } }
      }),
    'GET /session/history': ({ query }) =>
      withNumber(query.containerId, ({ id }) => {
        const history = changes.toReversed()
        return { body: { containerId: id, total: history.length, page: 1, limit: 50, history } }
      }),
    'GET /session/profile': ({ query }) =>
      withNumber(query.containerId, ({ id }) => ({ body: { containerId: id, ...profile } })),
    'PUT /session/profile': ({ body }) =>
      withNumber(body.containerId, ({ id }) => ({ body: { ...Object.assign(profile, body), containerId: id } })),
  }
}
