import type { Product, Role } from '@msgctl/contract'
import { sharedBatcher } from '../concurrency/batcher.ts'
import { type Db, preparedRows, rows } from '../db/db.ts'

/** What one query returns about a key or a token. */
export interface CredentialRow {
  readonly organizationId: string
  readonly userId: string | null
  readonly containerId: string | null
  readonly role: Role
  readonly deactivated: boolean
  /** The products active now: not paused, and granted or still on trial. */
  readonly products: Product[]
  /** Whether a product of the organization is off only because the free trial has ended. */
  readonly trialEnded: boolean
  readonly trial: boolean
  /** Whether the organization requires two steps, and this session made only one. */
  readonly twoFactorMissing: boolean
}

/** The columns about the organization `o` that both queries return; the lateral join always yields one row. */
const organizationColumns = `
  o.deactivated_at is not null as deactivated,
  p.active as products,
  p.ended > 0 as "trialEnded",
  p.granted = 0 as trial`
const organizationJoins = `
  cross join lateral (
    select count(granted_at) as granted,
           count(*) filter (
             where paused_at is null and granted_at is null and o.trial_ends_at <= (select service_now())
           ) as ended,
           coalesce(array_agg(product) filter (
             where paused_at is null and (granted_at is not null or o.trial_ends_at > (select service_now()))
           ), '{}') as active
      from organization_products where organization_id = o.id
  ) p`

/** Returns the holder of the API key with this hash, or undefined. Concurrent requests share one query. */
export const findKey: (db: Db, keyHash: Buffer) => Promise<CredentialRow | undefined> = sharedBatcher(findKeys)

async function findKeys(db: Db, keyHashes: readonly Buffer[]): Promise<(CredentialRow | undefined)[]> {
  const found = await preparedRows<CredentialRow & { keyHash: Buffer }>(
    db,
    `select k.key_hash as "keyHash", k.organization_id as "organizationId", null as "userId",
            k.container_id as "containerId", 'admin' as role,
            false as "twoFactorMissing", ${organizationColumns}
       from api_keys k join organizations o on o.id = k.organization_id ${organizationJoins}
      where k.key_hash = any(:keyHashes::bytea[])`,
    { keyHashes },
  )
  const byHash = new Map(found.map(({ keyHash, ...row }) => [keyHash.toString('hex'), row]))
  return keyHashes.map((hash) => byHash.get(hash.toString('hex')))
}

/**
 * Returns the person who signed in with the token of this hash. Undefined when it is unknown, unused for 12 h or expired,
 * and when its user has left the organization. Writes the last use at most once a minute, so that most reads cost no write.
 */
export async function useToken(db: Db, tokenHash: Buffer): Promise<CredentialRow | undefined> {
  const found = await rows<CredentialRow>(
    db,
    `with valid as (
       select t.user_id, t.organization_id, t.last_used_at, t.two_factor_at from user_tokens t
        where t.token_hash = :tokenHash
          and t.expires_at > (select service_now())
          and t.last_used_at > (select service_now()) - interval '12 h'
     ), noted as (
       update user_tokens set last_used_at = (select service_now())
        where token_hash = :tokenHash
          and exists (select from valid where last_used_at <= (select service_now()) - interval '1 min')
     )
     select v.organization_id as "organizationId", v.user_id as "userId", null as "containerId", m.role,
            o.require_two_factor and v.two_factor_at is null as "twoFactorMissing", ${organizationColumns}
       from valid v
       join members m on m.organization_id = v.organization_id and m.user_id = v.user_id
       join organizations o on o.id = v.organization_id ${organizationJoins}`,
    { tokenHash },
  )
  return found[0]
}
