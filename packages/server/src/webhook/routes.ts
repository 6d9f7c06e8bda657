import { type Contract, limits } from '@msgctl/contract'
import { toActor } from '../activity/log.ts'
import { appendSample } from '../events/append.ts'
import { requireWebhookUrl } from '../events/replay.ts'
import type { Caller, Handlers } from '../http/handler.ts'
import { type Change, regenerateSecret, removeWebhook, setWebhook, showWebhook } from './configuration/configure.ts'
import { countDeliveries, listDeliveries } from './list-store.ts'
import { sampleData, selectSampleKind } from './sample.ts'

function changeBy(caller: Caller): Change {
  return { organizationId: caller.organizationId, actor: toActor(caller) }
}

/** The handlers of /me/webhook. */
export const webhookHandlers = {
  get: ({ caller }, services) => showWebhook(services, caller.organizationId),

  set: ({ body: { webhookUrl }, caller }, services) =>
    webhookUrl === null
      ? removeWebhook(services, changeBy(caller))
      : setWebhook(services, changeBy(caller), webhookUrl),

  async regenerateSecret({ body: { overlapSeconds }, caller }, services) {
    const signingSecret = await regenerateSecret(services, changeBy(caller), overlapSeconds)
    const warning =
      overlapSeconds === 0
        ? 'Deliveries are signed with this secret from now on; the old one no longer verifies.'
        : `Deliveries carry a signature by the old secret too for ${overlapSeconds} s; then it no longer verifies.`
    return { signingSecret, warning }
  },

  async deliveries({ query, caller }, { db }) {
    const { page, limit, status = null } = query
    const [total, found] = await Promise.all([
      // Whoever reads on past the bound still learns whether there is a next page.
      countDeliveries(db, caller.organizationId, {
        status,
        most: Math.max(limits.countedDeliveries, page * limit + 1),
      }),
      listDeliveries(db, caller.organizationId, { status, page, limit }),
    ])
    const deliveries = found.map((delivery) => ({
      ...delivery,
      nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
      createdAt: delivery.createdAt.toISOString(),
      deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
    }))
    return { total, page, limit, deliveries }
  },

  async test({ body: { event }, caller, idempotency }, services) {
    const { organizationId } = caller
    const kind = selectSampleKind(event, caller.products)
    const answer = await idempotency.transact(async (trx) => {
      await requireWebhookUrl(trx, organizationId)
      const data = sampleData(kind, services.clock.now())
      return { eventId: await appendSample(trx, organizationId, kind, data) }
    })
    services.wake.signal('deliveries')
    return answer
  },
} satisfies Handlers<Contract['webhook']>
