import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { requireOwnNumber } from '#events/own-number-store.ts'
import { noPace, standardPace } from '#sending/messages/queue/pace.ts'
import { type Forecast, forecast } from './forecast.ts'
import { listLanes, listWaiting, type WaitingMessage } from './store.ts'

/** Responds with the queues of the numbers, each in the order in which its messages leave. */
export const listQueue: Handlers<Contract['messages']>['queue'] = async ({ caller, query }, { db, clock, config }) => {
  const { organizationId } = caller
  await requireOwnNumber(db, organizationId, query.containerId)
  const lanes = await listLanes(db, organizationId, query.containerId ?? null)
  const ids = lanes.map(({ containerId }) => containerId)
  const messages = await listWaiting(db, organizationId, ids, query.limit)
  const times = forecast(config.pacing ? standardPace : noPace, clock.now(), lanes, messages)
  return {
    lanes: lanes.map(({ containerId }) => ({
      containerId,
      messages: messages
        .filter((message) => message.containerId === containerId)
        .sort((a, b) => leaving(times.get(a.id)) - leaving(times.get(b.id)))
        .slice(0, query.limit)
        .map((message) => queuedView(message, times.get(message.id))),
    })),
  }
}

/**
 * The place of a message in the order; the sort keeps the order of the queue where the times are equal or not known.
 */
function leaving(times: Forecast | undefined): number {
  return times?.leavesAt?.getTime() ?? Number.MAX_SAFE_INTEGER
}

function queuedView(message: WaitingMessage, times: Forecast | undefined) {
  const { id, recipient, content, priority, campaignId, status } = message
  return {
    id,
    recipient,
    content,
    priority,
    campaignId,
    status,
    leavesAt: times?.leavesAt?.toISOString() ?? null,
    estimated: times?.estimated ?? false,
    waitsFor: times?.waitsFor ?? null,
  }
}
