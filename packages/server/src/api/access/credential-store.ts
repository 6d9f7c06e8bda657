import type { Product, Role } from '@msgctl/contract'
import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import { type Db, preparedRows, rows } from '#platform/db/db.ts'
import type { Carrier } from './token-store.ts'

/** What one query returns about a key or a token. */
export interface CredentialRow {
  readonly organizationId: string
  readonly userId: string | null
  readonly containerId: string | null
  readonly role: Role
  readonly deactivated: boolean
  /** Whether it moves to another installation: no process works for it here. */
  readonly moving: boolean
  /** The address to which it has moved; null before that. */
  readonly movedTo: string | null
  /** The products active now: granted, paid or still on trial. */
  readonly products: Product[]
  /** Whether a product of the organization is off only because the free trial, or what was paid, has ended. */
  readonly trialEnded: boolean
  readonly trial: boolean
  /** Whether the organization requires two steps, and this session made only one. */
  readonly twoFactorMissing: boolean
  /** Whether the owners and admins of the organization administer the service. */
  readonly platformAdmin: boolean
  /** Whether this session made two steps. */
  readonly twoFactorMade: boolean
}

/** A key with its hash. */
interface KeyRow extends CredentialRow {
  readonly keyHash: Buffer
  /** Whether its last use must be written. */
  readonly isUseNew: boolean
}

/** The columns about the organization, the row `o` of `entitlements`, that each query returns. */
export const organizationColumns = `
  o.deactivated_at is not null as deactivated,
  o.moving_at is not null as moving, o.moved_to, o.products, o.trial_ended, o.trial, o.platform_admin`

/** Returns the holder of the API key with this hash, or undefined. Concurrent requests share one query. */
export const findKey: (db: Db, keyHash: Buffer) => Promise<KeyRow | undefined> = sharedBatcher(findKeys)

const selectedKeys = `
  select k.key_hash, k.organization_id, null as user_id,
         k.container_id, 'admin' as role, false as two_factor_missing, false as two_factor_made,
            k.last_used_at is null or k.last_used_at <= (select service_now()) - interval '1 min' as is_use_new,
            ${organizationColumns}
       from api_keys k join entitlements o on o.organization_id = k.organization_id
   where o.deleted_at is null`

/** Returns the account key of an organization, or the key of a number, if it was made before a time; else undefined. */
export async function findKeyOf(
  db: Db,
  organizationId: string,
  { containerId, at }: { readonly containerId: string | null; readonly at: Date },
): Promise<KeyRow | undefined> {
  const [found] = await rows<KeyRow>(
    db,
    `${selectedKeys} and k.organization_id = :organizationId and k.container_id is not distinct from :containerId::uuid
        and k.created_at <= :at`,
    { organizationId, containerId, at },
  )
  return found
}

async function findKeys(db: Db, keyHashes: readonly Buffer[]): Promise<(KeyRow | undefined)[]> {
  const found = await preparedRows<KeyRow>(db, `${selectedKeys} and k.key_hash = any(:keyHashes::bytea[])`, {
    keyHashes,
  })
  const byHash = new Map(found.map((row) => [row.keyHash.toString('hex'), row]))
  return keyHashes.map((keyHash) => byHash.get(keyHash.toString('hex')))
}

/** Writes that the keys with these hashes were used. Another process may have done so; then nothing is written. */
export const noteKeyUse: (db: Db, keyHash: Buffer) => Promise<undefined> = sharedBatcher(noteKeyUses)

async function noteKeyUses(db: Db, keyHashes: readonly Buffer[]): Promise<undefined[]> {
  await preparedRows(
    db,
    `update api_keys set last_used_at = (select service_now())
      where key_hash in (
        select key_hash from api_keys
         where key_hash = any(:keyHashes::bytea[])
           and (last_used_at is null or last_used_at <= (select service_now()) - interval '1 min')
         order by key_hash for no key update skip locked)`,
    { keyHashes },
  )
  return keyHashes.map(() => undefined)
}

/**
 * Returns the person who signed in with the token of this hash. Undefined when it is unknown, unused for 12 h or
 * expired, when it was issued for another `carrier`, and when its user has left the organization or it was deleted.
 * Without a carrier the holder is only looked up again. Writes the last use at most once a minute, so that most reads
 * cost no write.
 */
export async function useToken(
  db: Db,
  tokenHash: Buffer,
  carrier: Carrier | null = null,
): Promise<CredentialRow | undefined> {
  const found = await rows<CredentialRow>(
    db,
    `with valid as (
       select t.user_id, t.organization_id, t.last_used_at, t.two_factor_at from user_tokens t
        where t.token_hash = :tokenHash
          and (t.carrier = :carrier::text or t.carrier is null or :carrier::text is null)
          and t.expires_at > (select service_now())
          and t.last_used_at > (select service_now()) - interval '12 h'
     ), noted as (
       update user_tokens set last_used_at = (select service_now())
        where token_hash = :tokenHash
          and exists (select from valid where last_used_at <= (select service_now()) - interval '1 min')
     )
     select v.organization_id, v.user_id, null as container_id, m.role,
            o.require_two_factor and v.two_factor_at is null as two_factor_missing,
            v.two_factor_at is not null as two_factor_made, ${organizationColumns}
       from valid v
       join members m on m.organization_id = v.organization_id and m.user_id = v.user_id
       join entitlements o on o.organization_id = v.organization_id
      where o.deleted_at is null`,
    { tokenHash, carrier },
  )
  return found[0]
}
