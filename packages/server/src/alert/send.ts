import type { Contract } from '@msgctl/contract'
import type { Request } from '../http/handler.ts'
import { enqueueTexts } from '../messages/enqueue.ts'
import { spendTrial } from '../messages/trial.ts'
import { demandOnNetwork } from '../numbers/check.ts'
import { chooseForSend } from '../numbers/choose.ts'
import type { Services } from '../services.ts'

/**
 * Queues one text (specification, "Sending messages"): the number is chosen, the recipient is asked for on the network,
 * and the message, its trial count and the idempotency key are stored together.
 */
export async function sendText(request: Request<Contract['alert']['send']>, services: Services) {
  const { caller, body, idempotency } = request
  const { containerId, pinned } = await chooseForSend(services.db, caller, body.containerId, body.phone)
  await demandOnNetwork(services, { containerId, organizationId: caller.organizationId }, body.phone, request.signal)
  const answer = await idempotency.transact(async (trx) => {
    await spendTrial(trx, services.clock, caller, 1)
    const [messageId = ''] = await enqueueTexts(trx, services.clock, [
      {
        organizationId: caller.organizationId,
        containerId,
        pinned,
        type: 'alert',
        recipient: body.phone,
        text: body.message,
        priority: body.priority,
        clientReference: body.clientReference ?? null,
      },
    ])
    return { messageId, status: 'queued' as const, priority: body.priority, containerId }
  })
  services.wake.signal('lanes')
  return answer
}
