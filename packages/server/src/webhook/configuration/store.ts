import { type Db, rows } from '../../db/db.ts'

/** An organization's webhook; the secrets are sealed. */
export interface WebhookRow {
  readonly url: string | null
  readonly secret: string | null
}

/** The webhook of an organization; undefined before any address was set. */
export async function findWebhook(db: Db, organizationId: string): Promise<WebhookRow | undefined> {
  const found = await rows<WebhookRow>(db, 'select url, secret from webhooks where organization_id = :organizationId', {
    organizationId,
  })
  return found[0]
}

/**
 * Sets the address and, when there is no secret yet, `newSecret` (sealed; null when the server cannot seal). Answers
 * whether that secret is the one that is kept, which of two first calls at once is true for one.
 */
export async function setUrl(db: Db, organizationId: string, url: string, newSecret: string | null): Promise<boolean> {
  const [kept] = await rows<{ created: boolean }>(
    db,
    `insert into webhooks as kept (organization_id, url, secret, updated_at)
     values (:organizationId, :url, :newSecret::text, service_now())
     on conflict (organization_id) do update
        set url = excluded.url, secret = coalesce(kept.secret, excluded.secret), updated_at = excluded.updated_at
     returning coalesce(secret = :newSecret::text, false) as created`,
    { organizationId, url, newSecret },
  )
  return kept?.created ?? false
}

/** Stops events; the secret stays for the next address. */
export async function removeUrl(db: Db, organizationId: string): Promise<void> {
  await rows(db, 'update webhooks set url = null, updated_at = service_now() where organization_id = :organizationId', {
    organizationId,
  })
}

/**
 * Replaces the secret; for `overlapSeconds` the one before signs as well. False when no address was ever set.
 */
export async function replaceSecret(
  db: Db,
  organizationId: string,
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
     returning 1 as replaced`,
    { organizationId, newSecret, overlapSeconds },
  )
  return replaced.length > 0
}

/** Where an organization's events go now, and the sealed secrets that sign them. */
export interface Target {
  readonly organizationId: string
  readonly url: string | null
  readonly secret: string | null
  /** The secret before, only while it overlaps. */
  readonly previousSecret: string | null
}

/** Where the events of these organizations go now; none for one that never set an address. */
export async function findTargets(db: Db, organizationIds: readonly string[]): Promise<Target[]> {
  return rows<Target>(
    db,
    `select organization_id as "organizationId", url, secret,
            case when previous_until > (select service_now()) then previous_secret end as "previousSecret"
       from webhooks where organization_id = any(:organizationIds::uuid[])`,
    { organizationIds: [...new Set(organizationIds)] },
  )
}
