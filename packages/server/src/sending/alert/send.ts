import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { requireOnNetwork } from '#numbers/recipients/check.ts'
import { requestedIdOf, selectQueueAmong } from '#numbers/send-group/select-number.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { type NewText, storeTexts } from '#sending/messages/queue/enqueue.ts'
import { requesterOf } from '#sending/messages/requester.ts'
import type { Services } from '#services.ts'
import { findTextFacts } from './text-facts-store.ts'

/**
 * Queues one text (specification, "Sending messages"). The number is selected and the recipient is checked on the
 * network.
 */
export async function sendText(request: Request<Contract['alert']['send']>, services: Services) {
  const { caller, body } = request
  const { organizationId } = caller
  const { candidates, known } = await findTextFacts(services.db, {
    organizationId,
    requested: requestedIdOf(caller, body.containerId),
    digits: body.phone,
  })
  const wanted = { containerId: body.containerId, contact: body.phone, candidates }
  const { containerId, pinned } = await selectQueueAmong(services.db, caller, wanted)
  if (!known?.onNetwork) {
    await requireOnNetwork(services, { containerId, organizationId }, body.phone, { known, signal: request.signal })
  }
  const text: NewText = {
    organizationId,
    containerId,
    pinned,
    type: 'alert',
    recipient: body.phone,
    text: body.message,
    priority: body.priority,
    clientReference: body.clientReference ?? null,
    sentBy: requesterOf(caller),
  }
  crashPoint('send.before-write')
  const answer = await storeTexts(request, services, [text], ([messageId = '']) => ({
    messageId,
    status: 'queued' as const,
    priority: body.priority,
    containerId,
  }))
  crashPoint('send.committed')
  return answer
}
