import type { EventKind } from '@msgctl/contract'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** An endpoint with an address, and its encrypted secret. */
export interface EndpointRow
  extends Pick<Row<'webhooks'>, 'id' | 'main' | 'label' | 'secret' | 'createdAt' | 'updatedAt'> {
  readonly url: string
  readonly kinds: readonly EventKind[] | null
}

const columns = `id, main, url, label, kinds, secret, created_at, updated_at`

/** The organization of an endpoint, and the endpoint. */
export interface EndpointKey {
  readonly organizationId: string
  readonly id: string
}

/** Returns the endpoints of an organization that have an address, the main one first, then the oldest. */
export async function listEndpoints(db: Db, organizationId: string): Promise<EndpointRow[]> {
  return rows<EndpointRow>(
    db,
    `select ${columns} from webhooks where organization_id = :organizationId and url is not null
      order by main desc, created_at, id`,
    { organizationId },
  )
}

/** Returns one endpoint that has an address. */
export async function findEndpoint(db: Db, key: EndpointKey): Promise<EndpointRow | undefined> {
  return firstRow<EndpointRow>(
    db,
    `select ${columns} from webhooks where organization_id = :organizationId and id = :id and url is not null`,
    { ...key },
  )
}

/**
 * Returns the id of the main endpoint, if it has an address. Otherwise undefined.
 */
export async function findMainEndpoint(db: Db, organizationId: string): Promise<string | undefined> {
  const [found] = await rows<{ id: string }>(
    db,
    'select id from webhooks where organization_id = :organizationId and main and url is not null',
    { organizationId },
  )
  return found?.id
}

/** An endpoint to be stored. */
export interface NewEndpoint {
  readonly url: string
  readonly label: string | null
  readonly kinds: readonly EventKind[] | null
  readonly secret: string | null
}

/**
 * Stores an endpoint unless the organization has `limit` of them. Two concurrent calls wait for each other at the row
 * of the organization, so that they cannot exceed the limit together.
 */
export async function insertEndpoint(
  trx: Db,
  organizationId: string,
  endpoint: NewEndpoint,
  limit: number,
): Promise<EndpointRow | undefined> {
  await rows(trx, 'select from organizations where id = :organizationId for no key update', { organizationId })
  return firstRow<EndpointRow>(
    trx,
    `insert into webhooks (organization_id, main, url, label, kinds, secret, created_at, updated_at)
     select :organizationId, false, :url, :label, :kinds::text[], :secret, service_now(), service_now()
      where (select count(*) from webhooks where organization_id = :organizationId
          and (main or url is not null)) < :limit
     returning ${columns}`,
    { organizationId, ...endpoint, limit },
  )
}

/** A change of an endpoint; what is undefined stays. */
export interface EndpointChange {
  readonly url?: string | undefined
  readonly label?: string | null | undefined
  readonly kinds?: readonly EventKind[] | null | undefined
}

/** Changes an endpoint. Returns it as it is then; undefined if there is none. */
export async function updateEndpoint(
  db: Db,
  key: EndpointKey,
  { url, label, kinds }: EndpointChange,
): Promise<EndpointRow | undefined> {
  return firstRow<EndpointRow>(
    db,
    `update webhooks
        set url = coalesce(:url, url),
            label = case when :setsLabel then :label else label end,
            kinds = case when :setsKinds then :kinds::text[] else kinds end,
            updated_at = service_now()
      where organization_id = :organizationId and id = :id and url is not null
     returning ${columns}`,
    {
      ...key,
      url: url ?? null,
      label: label ?? null,
      setsLabel: label !== undefined,
      kinds: kinds ?? null,
      setsKinds: kinds !== undefined,
    },
  )
}

/**
 * Removes an endpoint. The main one keeps its row and its secret, without address, label and kinds. Returns whether
 * there was one.
 */
export async function deleteEndpoint(trx: Db, key: EndpointKey): Promise<boolean> {
  const cleared = await rows(
    trx,
    `update webhooks set url = null, label = null, kinds = null, updated_at = service_now()
      where organization_id = :organizationId and id = :id and main and url is not null returning id`,
    { ...key },
  )
  if (cleared.length > 0) return true
  const removed = await rows(
    trx,
    'delete from webhooks where organization_id = :organizationId and id = :id and not main returning id',
    { ...key },
  )
  return removed.length > 0
}
