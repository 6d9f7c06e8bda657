import { type Db, rows } from '#platform/db/db.ts'

/** A number that has received something. */
export interface ReceivingNumber {
  readonly organizationId: string
  readonly containerId: string
  readonly phone: string | null
  /** The active assistant of the number, or null. */
  readonly botId: string | null
}

/** Returns the numbers that exist, with the phone that is linked and the active assistant. */
export async function findNumbers(
  db: Db,
  numbers: readonly { readonly organizationId: string; readonly containerId: string }[],
): Promise<ReceivingNumber[]> {
  return rows<ReceivingNumber>(
    db,
    `select distinct n.organization_id, n.id as container_id, n.phone_number as phone, b.bot_id
       from unnest(:organizations::uuid[], :containers::uuid[]) as g(organization_id, container_id)
       join numbers n on n.organization_id = g.organization_id and n.id = g.container_id
       left join bot_numbers b on b.container_id = n.id and b.active`,
    {
      organizations: numbers.map(({ organizationId }) => organizationId),
      containers: numbers.map(({ containerId }) => containerId),
    },
  )
}

/** Returns the items whose number exists and belongs to the given organization. */
export async function filterNumbersPresent<T extends { readonly organizationId: string; readonly containerId: string }>(
  db: Db,
  items: readonly T[],
): Promise<T[]> {
  if (items.length === 0) return []
  const owners = new Map((await findNumbers(db, items)).map((number) => [number.containerId, number.organizationId]))
  return items.filter(({ organizationId, containerId }) => owners.get(containerId) === organizationId)
}

/**
 * Returns the ids that belong to messages of the service itself. They are found by the network's id or, while the
 * network has not responded or its response was lost, by the id that the service chose.
 */
export async function findOwn(
  db: Db,
  ids: readonly { readonly containerId: string; readonly networkId: string }[],
): Promise<{ containerId: string; networkId: string }[]> {
  if (ids.length === 0) return []
  return rows(
    db,
    `with wanted as (
       select * from unnest(:containers::uuid[], :networkIds::text[]) as w(container_id, network_id)
     )
     select w.container_id, w.network_id from wanted w
       join messages m on m.container_id = w.container_id and m.gateway_message_id = w.network_id
     union
     select w.container_id, w.network_id from wanted w
       join messages m on m.container_id = w.container_id and m.network_client_id = w.network_id
      where m.status = 'sending'
     union
     select w.container_id, w.network_id from wanted w
       join messages m on m.container_id = w.container_id and m.network_client_id = w.network_id
      where m.outcome_unknown_since is not null`,
    { containers: ids.map(({ containerId }) => containerId), networkIds: ids.map(({ networkId }) => networkId) },
  )
}
