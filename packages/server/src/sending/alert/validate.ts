import type { Contract } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { checkUnavailable } from '#numbers/recipients/check.ts'
import { checkList, notCheckedOf } from '#numbers/recipients/check-list.ts'
import { selectSender } from '#numbers/send-group/select-number.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'

/**
 * Checks which of up to 500 phone numbers are on the network (specification, "Validate numbers and batches"). Each
 * given number is in one of the two lists, as often as it was given.
 */
export async function validatePhones(
  { caller, body, signal }: Request<Contract['alert']['validate']>,
  services: Services,
) {
  const { containerId } = await selectSender(services.db, caller, body.containerId)
  const session = { containerId, organizationId: caller.organizationId }
  const list = await checkList(services, session, body.phones, { signal, purpose: 'list' })
  const valid: string[] = []
  const invalid: string[] = []
  for (const given of body.phones) {
    const { recipient, verdict } = list.entryOf(given)
    if (verdict === 'not_asked') throw checkUnavailable(list.retryAfterMs, notCheckedOf(list))
    if (recipient !== null && verdict === 'on_network') valid.push(recipient)
    else invalid.push(given)
  }
  if (valid.length === 0) {
    throw apiError('NO_VALID_NUMBERS', 'None of the numbers is on the network. Check them.', {
      invalidNumbers: invalid,
    })
  }
  return { valid, invalid, total: body.phones.length }
}
