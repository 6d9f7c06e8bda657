import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { checkUnavailable } from '#numbers/recipients/check.ts'
import { type CheckedList, checkList, notCheckedOf } from '#numbers/recipients/check-list.ts'
import { type ChosenNumber, selectSender, selectSenders } from '#numbers/send-group/select-number.ts'
import { crashPoint } from '#platform/crash-points.ts'
import { apiError } from '#platform/errors.ts'
import { type NewText, storeTexts } from '#sending/messages/queue/enqueue.ts'
import { requesterOf } from '#sending/messages/requester.ts'
import type { Services } from '#services.ts'

type BatchRequest = Request<Contract['alert']['batch']>

/**
 * Queues one text for many recipients (specification, "Validate numbers and batches"). All of them are checked on the
 * network first. Then all of the messages are stored, or none.
 */
export async function sendBatch(request: BatchRequest, services: Services) {
  const { caller, body, signal } = request
  const chosen = await selectSender(services.db, caller, body.containerId)
  const session = { containerId: chosen.containerId, organizationId: caller.organizationId }
  const list = await checkList(services, session, body.recipients, { signal, purpose: 'send' })
  const { recipients, invalidNumbers, notChecked } = validateRows(list, body)
  const senders = await selectSenders(services.db, caller, body.containerId, recipients)
  const texts = toTexts(request, assign(senders, recipients))
  const answer = await storeTexts(request, services, texts, (ids) => ({
    count: texts.length,
    messages: texts.map(({ recipient, containerId }, n) => ({
      phone: recipient,
      messageId: ids[n] ?? '',
      containerId,
    })),
    invalidNumbers,
    ...(notChecked.length > 0 && { notChecked }),
    skipped: invalidNumbers.length + notChecked.length,
    duplicates: body.recipients.length - list.entries.length,
  }))
  crashPoint('batch.committed')
  return answer
}

/**
 * Splits the recipients into those that get the text and those that are skipped. Throws NUMBER_VALIDATION_UNAVAILABLE
 * when a recipient could not be checked and may not be skipped, NUMBER_NOT_ON_NETWORK when none may be skipped, and
 * NO_VALID_NUMBERS when none is left.
 */
function validateRows(list: CheckedList, { skipInvalidNumbers, skipUnchecked }: BatchRequest['body']) {
  const { entries, retryAfterMs } = list
  const notChecked = notCheckedOf(list).map(toStorable)
  if (notChecked.length > 0 && !skipUnchecked) throw checkUnavailable(retryAfterMs, notChecked)
  const recipients = entries.flatMap(({ verdict, recipient }) => (verdict === 'on_network' ? (recipient ?? []) : []))
  const invalidNumbers = entries.flatMap(({ verdict, input }) =>
    verdict === 'on_network' || verdict === 'not_asked' ? [] : [toStorable(input)],
  )
  if (invalidNumbers.length > 0 && !skipInvalidNumbers) {
    throw apiError(
      'NUMBER_NOT_ON_NETWORK',
      `Nothing was sent: ${invalidNumbers.length} of ${entries.length} recipients cannot be reached on the ` +
        'network. Remove them, or leave skipInvalidNumbers out to skip them.',
      { invalidNumbers },
    )
  }
  if (recipients.length === 0) {
    if (notChecked.length > 0) throw checkUnavailable(retryAfterMs, notChecked)
    throw apiError('NO_VALID_NUMBERS', 'None of the recipients is on the network, so nothing was sent.', {
      invalidNumbers,
    })
  }
  return { recipients, invalidNumbers, notChecked }
}

/**
 * Returns a text that can be stored with the response of a keyed request: no database stores NUL or half of a
 * character.
 */
function toStorable(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\uFFFD')
}

/** Selects the number of each message: in share mode of the send group they are spread over its numbers. */
function assign(senders: readonly ChosenNumber[], recipients: readonly string[]) {
  return senders.map((sender, n) => ({ recipient: recipients[n] ?? '', ...sender }))
}

function toTexts({ caller, body }: BatchRequest, assigned: ReturnType<typeof assign>): NewText[] {
  return assigned.map(({ recipient, containerId, pinned }) => ({
    organizationId: caller.organizationId,
    containerId,
    pinned,
    type: 'alert',
    recipient,
    text: body.message,
    priority: body.priority,
    clientReference: body.clientReference ?? null,
    sentBy: requesterOf(caller),
  }))
}
