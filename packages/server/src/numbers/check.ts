import { apiError } from '../errors.ts'
import { GatewayError } from '../gateway/errors.ts'
import type { CheckResult, GatewaySession } from '../gateway/gateway.ts'
import type { Services } from '../services.ts'
import { findChecks, keepChecks } from './check-store.ts'

/**
 * Makes sure that a recipient is on the network, from what is known or by asking through the number. Ids ending in @lid
 * come from the network itself and are not asked about. Throws NUMBER_NOT_ON_NETWORK, and NUMBER_VALIDATION_UNAVAILABLE
 * when the network could not be asked.
 */
export async function demandOnNetwork(
  services: Pick<Services, 'db' | 'gateway' | 'log'>,
  session: GatewaySession,
  recipient: string,
  signal: AbortSignal,
): Promise<void> {
  if (recipient.endsWith('@lid')) return
  const [known] = await findChecks(services.db, session.organizationId, [recipient])
  const onNetwork = known ? known.onNetwork : await ask(services, session, recipient, signal)
  if (!onNetwork) {
    throw apiError('NUMBER_NOT_ON_NETWORK', 'The recipient is not on the network. Check the number.')
  }
}

async function ask(
  services: Pick<Services, 'db' | 'gateway' | 'log'>,
  session: GatewaySession,
  digits: string,
  signal: AbortSignal,
): Promise<boolean> {
  const result = await checkOne(services, session, digits, signal)
  await keepChecks(services.db, session.organizationId, [{ digits, onNetwork: result.exists, lid: result.lid ?? null }])
  return result.exists
}

async function checkOne(
  services: Pick<Services, 'gateway' | 'log'>,
  session: GatewaySession,
  digits: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  try {
    const result = (await services.gateway.check(session, [digits], signal)).get(digits)
    if (result) return result
  } catch (error) {
    services.log.info({ err: error, containerId: session.containerId }, 'the network could not be asked about a number')
    throw unavailable(error instanceof GatewayError ? error.retryAfterMs : undefined)
  }
  throw unavailable(undefined)
}

function unavailable(retryAfterMs: number | undefined) {
  return apiError(
    'NUMBER_VALIDATION_UNAVAILABLE',
    'The network cannot be asked about the recipient right now. Nothing was queued; try again shortly.',
    retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) },
  )
}
