import { randomBytes } from 'node:crypto'
import { keyPrefixes } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { freePhone } from '#networks/simulator/sessions/own-phone.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'

/** An organization with one number, which has just been linked. */
export interface Original {
  readonly organizationId: string
  readonly userId: string
  readonly containerId: string
}

/** A copy of an organization, with a key, an owner and a phone of its own. */
export interface Copy {
  readonly apiKey: string
  readonly email: string
  readonly phone: string
}

/** What the simulated network reports next about the number of the original, as JSON. */
type NextReports = string

/** Returns what the simulated network reports next about a number that has just been linked. */
export async function readNextReports(db: Db, { containerId }: Original): Promise<NextReports> {
  const [found] = await rows<{ reports: NextReports }>(
    db,
    `select jsonb_agg(
              jsonb_build_object('n', id, 'kind', kind, 'payload', payload, 'after', due_at - service_now()))::text
              as reports
       from sim_events where container_id = :containerId`,
    { containerId },
  )
  return found?.reports ?? '[]'
}

/**
 * Returns a statement that copies rows of a table. `changes` lists the columns that differ, each with its value: `o` is
 * the row of the original, `c` what is special about the copy, and `now` the service time.
 */
function copyOf(table: string, condition: string, changes: string): string {
  return `${table}_copies as (
    insert into ${table}
    select r.* from ${table} o, c, t, lateral jsonb_populate_record(o, jsonb_build_object(${changes})) r
     where ${condition})`
}

const copyRows = `
  with c as materialized (
    select * from jsonb_to_recordset(:copies::jsonb)
      as c(organization uuid, person uuid, number uuid, email text, phone text, key_hash text, preview text)),
  t as materialized (select service_now() as now),
  ${[
    copyOf('organizations', 'o.id = :organizationId', `'id', c.organization, 'created_at', now`),
    copyOf(
      'organization_products',
      'o.organization_id = :organizationId',
      `'organization_id', c.organization, 'granted_at', now`,
    ),
    copyOf('users', 'o.id = :userId', `'id', c.person, 'email', c.email, 'created_at', now`),
    copyOf(
      'members',
      'o.organization_id = :organizationId',
      `'organization_id', c.organization, 'user_id', c.person, 'created_at', now`,
    ),
    copyOf(
      'api_keys',
      'o.organization_id = :organizationId',
      `'organization_id', c.organization, 'key_hash', c.key_hash, 'preview', c.preview, 'created_at', now`,
    ),
    copyOf(
      'numbers',
      'o.id = :containerId',
      `'id', c.number, 'organization_id', c.organization, 'instance_name', 'number-' || c.number,
       'phone_number', c.phone, 'network_id', c.phone || '@c.us', 'push_name', 'Sim ' || right(c.phone, 4),
       'last_linked_phone', c.phone, 'created_at', now, 'linked_at', now, 'status_at', now, 'status_since', now,
       'connected_since', now, 'last_healthy_at', now, 'next_check_at', now + (o.next_check_at - o.status_at)`,
    ),
    copyOf('lanes', 'o.container_id = :containerId', `'container_id', c.number, 'organization_id', c.organization`),
    copyOf(
      'sim_sessions',
      'o.container_id = :containerId',
      `'container_id', c.number, 'organization_id', c.organization, 'phone', c.phone,
       'machine', o.machine || jsonb_build_object('phone', c.phone)`,
    ),
  ].join(',\n')},
  history as (
    insert into number_history (organization_id, container_id, at, from_status, to_status, reason, source)
    select c.organization, c.number, t.now, o.from_status, o.to_status, o.reason, o.source
      from c, t, number_history o where o.container_id = :containerId order by o.id)
  insert into sim_events (container_id, organization_id, due_at, kind, payload)
  select c.number, c.organization, t.now + e.after, e.kind, e.payload
    from c, t, jsonb_to_recordset(:reports::jsonb) as e(n bigint, kind text, payload jsonb, after interval)
   order by e.n`

/** Copies an organization for owners with these e-mail addresses. This takes far less work than to link a number. */
export async function copyOrganization(
  db: Db,
  original: Original & { readonly reports: NextReports },
  emails: readonly string[],
): Promise<Copy[]> {
  const copies = []
  for (const email of emails) {
    const number = newId()
    const apiKey = keyPrefixes.account + randomBytes(32).toString('hex')
    const keyHash = `\\x${hashCredential(apiKey).toString('hex')}`
    copies.push({
      ...{ organization: newId(), person: newId(), number, email, apiKey, phone: await freePhone(db, number) },
      ...{ key_hash: keyHash, preview: `${apiKey.slice(0, 10)}...` },
    })
  }
  await rows(db, copyRows, { ...original, copies: JSON.stringify(copies) })
  return copies.map(({ apiKey, email, phone }) => ({ apiKey, email, phone }))
}
