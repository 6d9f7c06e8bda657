import { type Contract, limits } from '@msgctl/contract'
import type { Request } from '#api/http/handler.ts'
import { selectSender } from '#numbers/send-group/select-number.ts'
import type { Services } from '#services.ts'
import { type CheckedEntry, checkList } from './check-list.ts'

const faults = {
  invalid_format: 'This is not an international number like +12025550100.',
  not_on_network: 'This number is not on the network.',
} as const

/**
 * Cleans a list of up to 10,000 numbers (specification, "Validate numbers and batches"). A recipient that could not be
 * checked within 25 s is listed as valid with an empty chatId.
 */
export async function validateRecipients(
  { caller, body, signal }: Request<Contract['recipients']['validate']>,
  services: Services,
) {
  const { containerId } = await selectSender(services.db, caller, body.containerId)
  const session = { containerId, organizationId: caller.organizationId }
  const { entries } = await checkList(services, session, body.phones, { signal, purpose: 'list' })
  const validNumbers = entries.flatMap(asValid)
  const invalidNumbers = entries.flatMap(asInvalid)
  return {
    total: entries.length,
    valid: validNumbers.length,
    invalid: invalidNumbers.length,
    validNumbers,
    invalidNumbers,
  }
}

function asValid({ recipient, verdict, chatId }: CheckedEntry) {
  const valid = verdict === 'on_network' || verdict === 'not_asked'
  return valid && recipient !== null ? [{ phone: recipient, chatId }] : []
}

function asInvalid({ input, verdict }: CheckedEntry) {
  if (verdict !== 'invalid_format' && verdict !== 'not_on_network') return []
  return [{ phone: firstCharacters(input), reason: faults[verdict], code: verdict }]
}

/** Cuts what was sent as a number and is none: a response would have up to 16 MB of it, and be built in one step. */
function firstCharacters(text: string): string {
  const most = limits.invalidPhone
  if (text.length <= most) return text
  // A character has at most two units.
  return Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('')
}
