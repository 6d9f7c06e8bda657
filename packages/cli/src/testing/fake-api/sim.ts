import type { Routes } from './server.ts'
import type { State } from './service.ts'

/** The controls of the simulator, which stand beside the API and take no key. */
export function simRoutes(state: State): Routes {
  return {
    'GET /sim/clock': () => ({ body: { now: new Date(state.now).toISOString() } }),
    'POST /sim/clock/advance': ({ body }) => {
      state.now += body.seconds * 1000
      return { body: { now: new Date(state.now).toISOString() } }
    },
    'POST /sim/numbers/:id/:verb': (_seen, containerId) => ({
      body: { containerId, status: 'WORKING', phone: '12025550199' },
    }),
    'POST /sim/inbound': () => ({ body: { networkId: '3EB0AA' } }),
    'POST /sim/people/:phone/:state': (_seen, phone, presence) => ({ body: { phone, online: presence === 'online' } }),
    'POST /sim/receipts': ({ body }) => ({ body: { networkId: '3EB0AA', status: body.status } }),
    'GET /sim/transcript': ({ query }) => ({
      body: {
        total: 2,
        messages: [{ to: '12025550100', content: { kind: 'text', text: `page ${query.after}` }, typed: true }],
        nextAfter: query.after === '0' ? 1 : null,
      },
    }),
    'PUT /sim/faults': ({ body }) => ({ body: { faults: body } }),
    'DELETE /sim/faults': () => ({ body: { faults: {} } }),
  }
}
