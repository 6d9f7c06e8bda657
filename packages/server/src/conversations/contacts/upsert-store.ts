import { type Db, rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'

/** A person as the network shows them to one number. */
export interface ContactInput {
  readonly organizationId: string
  readonly containerId: string
  /** Digits, or a hidden id that ends in `@lid`. */
  readonly address: string
  /** The name that the person shows on the network; null if it is unknown. */
  readonly networkName: string | null
}

/** The contact of an input. */
export interface KnownContact {
  readonly id: string
  readonly organizationId: string
  readonly address: string
  /** The digits, if they are known. */
  readonly phone: string | null
  readonly lid: string | null
  /** Whether the input differs from the row. */
  readonly changed: boolean
}

function toInputRows(inputs: readonly ContactInput[]): string {
  return JSON.stringify(
    inputs.map(({ organizationId, containerId, address, networkName }) => ({
      organization_id: organizationId,
      container_id: containerId,
      address,
      network_name: networkName,
    })),
  )
}

const inputRowsSql =
  'jsonb_to_recordset(:given::jsonb) as g(organization_id uuid, container_id uuid, address text, network_name text)'

/** SQL: the contact of each input. Each branch has an index of its own. */
const matchesSql = `
  g as materialized (select * from ${inputRowsSql}),
  hit as materialized (
    select g.*, c.id from g join contacts c on c.organization_id = g.organization_id and c.phone = g.address
    union all
    select g.*, c.id from g join contacts c on c.organization_id = g.organization_id and c.lid = g.address)`

/**
 * Returns the contacts of these inputs that exist. Their rows are locked against a merge until the transaction ends, so
 * that everything it stores of them is merged too.
 */
export async function findKnown(trx: Db, inputs: readonly ContactInput[]): Promise<KnownContact[]> {
  return rows<KnownContact>(
    trx,
    `with ${matchesSql}
     select c.id, hit.organization_id, hit.address, c.phone, c.lid,
            not (hit.container_id = any(c.known_to))
              or (hit.network_name is not null and hit.network_name is distinct from c.network_name) as changed
       from hit join contacts c on c.id = hit.id order by c.id for key share of c`,
    { given: toInputRows(inputs) },
  )
}

/** Creates the missing contacts. Contacts that another transaction creates at the same time are skipped. */
export async function insertContacts(trx: Db, inputs: readonly ContactInput[]): Promise<void> {
  await rows(
    trx,
    `insert into contacts (id, organization_id, phone, lid, network_name, known_to, created_at)
     select g.id, g.organization_id, case when g.address like '%@lid' then null else g.address end,
            case when g.address like '%@lid' then g.address end, g.network_name, array[g.container_id],
            (select service_now())
       from jsonb_to_recordset(:given::jsonb) as g(id uuid, organization_id uuid, container_id uuid, address text,
           network_name text)
      order by g.organization_id, g.address
     on conflict do nothing`,
    {
      given: JSON.stringify(
        inputs.map(({ organizationId, containerId, address, networkName }) => ({
          id: newId(),
          organization_id: organizationId,
          container_id: containerId,
          address,
          network_name: networkName,
        })),
      ),
    },
  )
}

/** Writes changed network names, and the numbers that have met the contacts. */
export async function updateContacts(trx: Db, inputs: readonly ContactInput[]): Promise<void> {
  await rows(
    trx,
    `with ${matchesSql}, locked as (
       select c.id, hit.container_id, hit.network_name from hit join contacts c on c.id = hit.id
        order by c.id for no key update of c
     ), merged as (
       select id, array_agg(container_id) as containers, max(network_name) as network_name from locked group by id
     )
     update contacts c
        set network_name = coalesce(merged.network_name, c.network_name),
            known_to = array(select distinct unnest(c.known_to || merged.containers) order by 1)
       from merged where c.id = merged.id`,
    { given: toInputRows(inputs) },
  )
}

/** Returns the digits of contacts by their hidden ids, where both are known. */
export async function findDigits(
  db: Db,
  hidden: readonly { readonly organizationId: string; readonly lid: string }[],
): Promise<{ organizationId: string; lid: string; phone: string }[]> {
  if (hidden.length === 0) return []
  return rows(
    db,
    `select c.organization_id, c.lid, c.phone
       from unnest(:organizations::uuid[], :lids::text[]) as g(organization_id, lid)
       join contacts c on c.organization_id = g.organization_id and c.lid = g.lid
      where c.phone is not null`,
    { organizations: hidden.map(({ organizationId }) => organizationId), lids: hidden.map(({ lid }) => lid) },
  )
}
