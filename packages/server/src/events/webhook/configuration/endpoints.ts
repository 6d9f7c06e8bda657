import { limits, type ParsedFor, type ResultOf } from '@msgctl/contract'
import { judgeUrl } from '@msgctl/network/public-address/url'
import { recordActivity } from '#api/activity/log.ts'
import { newSigningSecret } from '#events/webhook/signing/secret.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError, invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { type Change, requireSigningKeys, showSecret } from './configure.ts'
import {
  deleteEndpoint,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  updateEndpoint,
} from './endpoint-store.ts'
import { replaceSecret } from './store.ts'

type Endpoint = ResultOf<'webhook', 'endpoint'>['endpoint']

function endpointView({ secret: _secret, kinds, createdAt, updatedAt, ...row }: EndpointRow): Endpoint {
  return {
    ...row,
    kinds: kinds === null ? null : [...kinds],
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function endpointNotFound() {
  return apiError('NOT_FOUND', 'There is no such webhook endpoint.')
}

/** Returns the host of an address, for the log. Throws VALIDATION_ERROR for an address that is not public. */
function requirePublic({ config }: Services, url: string): string {
  const check = judgeUrl(url, config.allowPrivateTargets)
  if (!check.url) throw invalidField('url', check.refusal, 'invalid_url')
  return check.url.host
}

/** Returns the endpoints of an organization. */
export async function showEndpoints({ db }: Services, organizationId: string) {
  return { endpoints: (await listEndpoints(db, organizationId)).map(endpointView) }
}

/** Returns one endpoint and its secret. Throws NOT_FOUND and SECRETS_KEY_MISSING. */
export async function showEndpoint(services: Services, organizationId: string, id: string) {
  const row = await findEndpoint(services.db, { organizationId, id })
  if (!row) throw endpointNotFound()
  return { endpoint: endpointView(row), signingSecret: showSecret(services, organizationId, row.secret) }
}

/** Adds an endpoint with its own secret. Throws VALIDATION_ERROR and, beyond the limit, FORBIDDEN_ACTION. */
export async function addEndpoint(
  services: Services,
  change: Change,
  { url, kinds, label }: ParsedFor<'webhook', 'addEndpoint'>['body'],
): Promise<ResultOf<'webhook', 'addEndpoint'>> {
  const host = requirePublic(services, url)
  const { organizationId } = change
  const secret = services.secrets.available ? newSigningSecret(services.secrets, organizationId) : null
  const stored = await transaction(services.db, async (trx) => {
    await recordActivity(trx, { ...change, action: 'webhook_endpoint.added', details: { host } })
    const endpoint = { url, kinds, label, secret: secret?.sealed ?? null }
    const row = await insertEndpoint(trx, organizationId, endpoint, limits.webhookEndpoints)
    if (!row) throw tooMany()
    return row
  })
  return { endpoint: endpointView(stored), signingSecret: secret?.text ?? null }
}

function tooMany() {
  const message = `An organization has at most ${limits.webhookEndpoints} webhook endpoints. Remove one first.`
  return apiError('FORBIDDEN_ACTION', message, { reason: 'too_many_endpoints' })
}

/** Changes an endpoint. Throws VALIDATION_ERROR and NOT_FOUND. */
export async function setEndpoint(
  services: Services,
  change: Change,
  id: string,
  fields: ParsedFor<'webhook', 'setEndpoint'>['body'],
): Promise<ResultOf<'webhook', 'setEndpoint'>> {
  const host = fields.url === undefined ? undefined : requirePublic(services, fields.url)
  const changed = await transaction(services.db, async (trx) => {
    const row = await updateEndpoint(trx, { organizationId: change.organizationId, id }, fields)
    if (!row) throw endpointNotFound()
    const details = { endpointId: id, ...(host === undefined ? {} : { host }) }
    await recordActivity(trx, { ...change, action: 'webhook_endpoint.changed', details })
    return row
  })
  return { endpoint: endpointView(changed) }
}

/** Removes an endpoint. Throws NOT_FOUND. */
export async function removeEndpoint({ db }: Services, change: Change, id: string): Promise<Record<never, never>> {
  await transaction(db, async (trx) => {
    if (!(await deleteEndpoint(trx, { organizationId: change.organizationId, id }))) throw endpointNotFound()
    await recordActivity(trx, { ...change, action: 'webhook_endpoint.removed', details: { endpointId: id } })
  })
  return {}
}

/** Replaces the secret of one endpoint. Throws WEBHOOK_SIGNING_UNAVAILABLE and NOT_FOUND. */
export async function regenerateEndpointSecret(
  services: Services,
  change: Change,
  { id, overlapSeconds }: { readonly id: string; readonly overlapSeconds: number },
): Promise<string> {
  requireSigningKeys(services)
  const { organizationId } = change
  const secret = newSigningSecret(services.secrets, organizationId)
  await transaction(services.db, async (trx) => {
    const details = { overlapSeconds, endpointId: id }
    await recordActivity(trx, { ...change, action: 'webhook_secret.regenerated', details })
    const replaced = await replaceSecret(trx, { organizationId, endpointId: id }, secret.sealed, overlapSeconds)
    if (!replaced) throw endpointNotFound()
  })
  return secret.text
}
