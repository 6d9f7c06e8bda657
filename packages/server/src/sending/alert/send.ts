import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { requireOnNetwork } from '#numbers/recipients/check.ts'
import { requestedIdOf, selectQueueAmong } from '#numbers/send-group/select-number.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { enqueueBatched, enqueueTexts, type NewText } from '#sending/messages/queue/enqueue.ts'
import { requesterOf } from '#sending/messages/requester.ts'
import { consumeTrialQuota } from '#sending/messages/trial.ts'
import type { Services } from '#services.ts'
import { findTextFacts } from './text-facts-store.ts'

/**
 * Queues one text (specification, "Sending messages"). The number is selected and the recipient is checked on the
 * network. Then the message, its trial count and the idempotency key are stored together.
 */
export async function sendText(request: Request<Contract['alert']['send']>, services: Services) {
  const { caller, body, idempotency } = request
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
  const answerOf = (messageId: string) => ({
    messageId,
    status: 'queued' as const,
    priority: body.priority,
    containerId,
  })
  crashPoint('send.before-write')
  const { db, clock } = services
  const answer = await idempotency.store({
    // What the trial counts belongs to this request alone.
    batch: caller.trial
      ? undefined
      : async (claimFor) => {
          const messageId = await enqueueBatched(db, clock, text, (id) => claimFor(answerOf(id)))
          return messageId === undefined ? undefined : answerOf(messageId)
        },
    async alone(trx) {
      await consumeTrialQuota(trx, clock, caller, 1)
      const [messageId = ''] = await enqueueTexts(trx, clock, [text])
      return answerOf(messageId)
    },
  })
  crashPoint('send.committed')
  return answer
}
