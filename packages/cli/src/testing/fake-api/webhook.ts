import { randomUUID } from 'node:crypto'
import { type Routes, refusal } from './server.ts'
import type { State } from './service.ts'

/** The routes of the webhook. The first address makes the secret. */
export function webhookRoutes(state: State): Routes {
  const { deliveries } = state
  const newSecret = () => `whsec_${randomUUID().replaceAll('-', '').repeat(2)}`
  return {
    'GET /me/webhook': () => {
      const { webhookUrl, signingSecret } = state
      return { body: { success: true, webhookUrl, signingSecret } }
    },
    'PUT /me/webhook': ({ body }) => {
      const isFirst = state.signingSecret === null && body.webhookUrl !== null
      state.webhookUrl = body.webhookUrl
      if (isFirst) state.signingSecret = newSecret()
      return {
        body: { success: true, webhookUrl: body.webhookUrl, signingSecret: isFirst ? state.signingSecret : null },
      }
    },
    'POST /me/webhook/regenerate-secret': () => {
      state.signingSecret = newSecret()
      return { body: { success: true, signingSecret: state.signingSecret, warning: 'The old one no longer verifies.' } }
    },
    'GET /me/webhook/deliveries': ({ query }) => {
      const found = deliveries.filter(({ status }) => query.status === undefined || status === query.status)
      return { body: { success: true, total: found.length, page: 1, limit: 50, deliveries: found } }
    },
    'POST /me/webhook/test': ({ body }) => {
      if (state.webhookUrl === null) return refusal(400, 'FORBIDDEN_ACTION', 'No webhook address is set.')
      const eventId = randomUUID()
      deliveries.unshift({
        id: randomUUID(),
        eventId,
        event: body.event,
        status: 'delivered',
        attempts: 1,
        lastStatus: 200,
        lastError: null,
        createdAt: '2026-11-01T08:00:00.000Z',
      })
      return { status: 202, body: { success: true, eventId } }
    },
  }
}
