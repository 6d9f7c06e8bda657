import { type Db, firstRow, preparedRows, rows, serviceNow } from '#platform/db/db.ts'

/** The main webhook of an organization, with encrypted secrets. */
export interface WebhookRow {
  readonly url: string | null
  readonly secret: string | null
  /** The replaced secret while it signs, too. */
  readonly previousSecret: string | null
}

/** Returns the main webhook of an organization; undefined before its first address. */
export async function findWebhook(db: Db, organizationId: string): Promise<WebhookRow | undefined> {
  return firstRow<WebhookRow>(
    db,
    `select url, secret,
            case when previous_until > (select service_now()) then previous_secret end as previous_secret
       from webhooks where organization_id = :organizationId and main`,
    { organizationId },
  )
}

/**
 * Sets the main address and, if there is no secret yet, the encrypted `newSecret` (null on a server without keys).
 * Returns whether `newSecret` was stored; of two concurrent first calls, one gets true.
 */
export async function setUrl(db: Db, organizationId: string, url: string, newSecret: string | null): Promise<boolean> {
  const [kept] = await rows<{ created: boolean }>(
    db,
    `insert into webhooks as kept (organization_id, url, secret, updated_at)
     values (:organizationId, :url, :newSecret::text, service_now())
     on conflict (organization_id) where main do update
        set url = excluded.url, secret = coalesce(kept.secret, excluded.secret), updated_at = excluded.updated_at
     returning coalesce(secret = :newSecret::text, false) as created`,
    { organizationId, url, newSecret },
  )
  return kept?.created ?? false
}

/** Removes the main address. The secret stays for the next address. */
export async function removeUrl(db: Db, organizationId: string): Promise<void> {
  await db('webhooks')
    .where({ organizationId, main: true })
    .update({ url: null, updatedAt: serviceNow(db) })
}

/**
 * Replaces the secret of one endpoint, by default the main one. The previous secret also signs for `overlapSeconds`.
 * Returns false if there is no such endpoint, or no address was ever set.
 */
export async function replaceSecret(
  db: Db,
  { organizationId, endpointId }: { readonly organizationId: string; readonly endpointId: string | null },
  newSecret: string,
  overlapSeconds: number,
): Promise<boolean> {
  const replaced = await rows(
    db,
    `update webhooks
     set secret = :newSecret,
         previous_secret = case when :overlapSeconds::int > 0 then secret end,
         previous_until = case when :overlapSeconds::int > 0 then service_now() + :overlapSeconds * interval '1 s' end,
         updated_at = service_now()
     where organization_id = :organizationId
       and case when :endpointId::uuid is null then main else id = :endpointId and url is not null end
     returning 1 as replaced`,
    { organizationId, endpointId, newSecret, overlapSeconds },
  )
  return replaced.length > 0
}

/** The current address of an endpoint, and the encrypted secrets that sign its deliveries. */
export interface Target {
  readonly endpointId: string
  readonly organizationId: string
  readonly url: string | null
  readonly secret: string | null
  /** The previous secret while it overlaps, otherwise null. */
  readonly previousSecret: string | null
}

/** Returns the current targets of endpoints, except those that were removed or whose organization was deleted. */
export async function findTargets(db: Db, endpointIds: readonly string[]): Promise<Target[]> {
  return preparedRows<Target>(
    db,
    `select w.id as endpoint_id, w.organization_id, w.url, w.secret,
            case when w.previous_until > (select service_now()) then w.previous_secret end as previous_secret
       from webhooks w join organizations o on o.id = w.organization_id
      where w.id = any(:endpointIds::uuid[]) and o.deleted_at is null`,
    { endpointIds: [...new Set(endpointIds)] },
  )
}
