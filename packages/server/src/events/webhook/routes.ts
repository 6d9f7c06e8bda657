import { type Contract, limits } from '@msgctl/contract'
import { toActor } from '#api/activity/log.ts'
import type { Caller, Handlers } from '#api/http/handler.ts'
import { appendSample } from '#events/append.ts'
import { apiError } from '#platform/errors.ts'
import { type Change, regenerateSecret, removeWebhook, setWebhook, showWebhook } from './configuration/configure.ts'
import {
  addEndpoint,
  regenerateEndpointSecret,
  removeEndpoint,
  setEndpoint,
  showEndpoint,
  showEndpoints,
} from './configuration/endpoints.ts'
import { requireEndpoint } from './configuration/require-endpoint.ts'
import { countDeliveries, findDelivery, type ListedDelivery, listDeliveries, type StoredAttempt } from './list-store.ts'
import { replayDropped } from './replay-store.ts'
import { sampleData, selectSampleKind } from './sample.ts'

/** Returns a delivery as the API shows it. */
function deliveryView(delivery: ListedDelivery) {
  return {
    ...delivery,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
    deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
  }
}

/** Returns an attempt as the API shows it. */
function attemptView({ at, status, durationMs, error, response }: StoredAttempt) {
  return { at, status, durationMs: durationMs ?? null, error, response: response ?? null }
}

function toChange(caller: Caller): Change {
  return { organizationId: caller.organizationId, actor: toActor(caller) }
}

function describeOverlap(overlapSeconds: number): string {
  return overlapSeconds === 0
    ? 'Deliveries are signed with this secret from now on. The old secret no longer verifies them.'
    : `For ${overlapSeconds} s deliveries also carry a signature by the old secret. After that it no longer ` +
        'verifies them.'
}

/** The handlers of /me/webhook. */
export const webhookHandlers = {
  get: ({ caller }, services) => showWebhook(services, caller.organizationId),

  set: ({ body: { webhookUrl }, caller }, services) =>
    webhookUrl === null
      ? removeWebhook(services, toChange(caller))
      : setWebhook(services, toChange(caller), webhookUrl),

  async regenerateSecret({ body: { overlapSeconds }, caller }, services) {
    const signingSecret = await regenerateSecret(services, toChange(caller), overlapSeconds)
    return { signingSecret, warning: describeOverlap(overlapSeconds) }
  },

  endpoints: ({ caller }, services) => showEndpoints(services, caller.organizationId),

  endpoint: ({ caller, params }, services) => showEndpoint(services, caller.organizationId, params.id),

  addEndpoint: ({ caller, body }, services) => addEndpoint(services, toChange(caller), body),

  setEndpoint: ({ caller, params, body }, services) => setEndpoint(services, toChange(caller), params.id, body),

  removeEndpoint: ({ caller, params }, services) => removeEndpoint(services, toChange(caller), params.id),

  async regenerateEndpointSecret({ params, body: { overlapSeconds }, caller }, services) {
    const signingSecret = await regenerateEndpointSecret(services, toChange(caller), { ...params, overlapSeconds })
    return { signingSecret, warning: describeOverlap(overlapSeconds) }
  },

  async deliveries({ query, caller }, { db }) {
    const { page, limit, status = null, event = null, eventId = null } = query
    const filter = { status, event, eventId }
    const [total, found] = await Promise.all([
      // A client that pages past the bound still gets to know whether there is a next page.
      countDeliveries(db, caller.organizationId, {
        ...filter,
        most: Math.max(limits.countedDeliveries, page * limit + 1),
      }),
      listDeliveries(db, caller.organizationId, { ...filter, page, limit }),
    ])
    return { total, page, limit, deliveries: found.map(deliveryView) }
  },

  async delivery({ params, caller }, { db }) {
    const found = await findDelivery(db, caller.organizationId, params.id)
    if (!found) throw apiError('NOT_FOUND', 'There is no such delivery in the last 30 days.')
    const { data, happenedAt, attemptLog, ...listed } = found
    const delivery = deliveryView(listed)
    const body = { event: delivery.event, data, timestamp: happenedAt.toISOString() }
    return { delivery, attempts: attemptLog.map(attemptView), body }
  },

  replayDeliveries: ({ body: { from, to }, caller, idempotency }) =>
    idempotency.transact(async (trx) => ({
      count: await replayDropped(trx, caller.organizationId, { from: from ?? null, to: to ?? null }),
    })),

  async test({ body: { event, endpointId: chosen }, caller, idempotency }, services) {
    const { organizationId } = caller
    const kind = selectSampleKind(event, caller.products)
    return idempotency.transact(async (trx) => {
      const endpointId = await requireEndpoint(trx, organizationId, chosen)
      const data = sampleData(kind, services.clock.now())
      return { eventId: await appendSample(trx, { organizationId, endpointId }, kind, data), event: kind }
    })
  },
} satisfies Handlers<Contract['webhook']>
