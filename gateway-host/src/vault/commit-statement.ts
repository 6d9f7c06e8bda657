import { randomUUID } from 'node:crypto'
import type { QueryConfig } from 'pg'
import type { Batch, InboxEvent, KeyChange, SentMessage } from './batch.ts'
import { sealCreds } from './creds.ts'
import { pack } from './key-kinds.ts'
import { seal } from './sealing.ts'

/** What a commit needs to know of a number beside its batch. */
export interface BatchOwner {
  readonly containerId: string
  readonly organizationId: string
  readonly epoch: string
  readonly dataKey: Buffer
  readonly creds: object
}

/** One part of a commit: the types of its columns, and the statement that reads them from `given`. */
interface Part {
  readonly types: readonly string[]
  sql(given: string): string
}

const mine = 'join owned using (container_id)'

/** The parts of a commit. One statement is composed of those that have something to do. */
const parts = {
  put: {
    types: ['uuid', 'smallint', 'text', 'bytea'],
    sql: (given) => `insert into gateway_keys (container_id, kind, id, value)
      select g.* from ${given} as g(container_id, kind, id, value) ${mine}
      on conflict (container_id, kind, id) do update set value = excluded.value`,
  },
  gone: {
    types: ['uuid', 'smallint', 'text'],
    sql: (given) => `delete from gateway_keys k using ${given} as g(container_id, kind, id), owned
      where k.container_id = g.container_id and k.kind = g.kind and k.id = g.id
        and owned.container_id = g.container_id`,
  },
  creds: {
    types: ['uuid', 'bytea'],
    sql: (given) => `update gateway_sessions s set creds = g.creds from ${given} as g(container_id, creds), owned
      where s.container_id = g.container_id and owned.container_id = g.container_id`,
  },
  sent: {
    types: ['uuid', 'text', 'text', 'bytea', 'boolean'],
    sql: (given) => `insert into gateway_sent (container_id, network_id, chat, message, is_poll)
      select g.* from ${given} as g(container_id, network_id, chat, message, is_poll) ${mine} on conflict do nothing`,
  },
  acked: {
    types: ['uuid', 'text'],
    sql: (
      given,
    ) => `update gateway_sent t set acked_at = gateway_clock() from ${given} as g(container_id, network_id), owned
      where t.container_id = g.container_id and t.network_id = g.network_id and owned.container_id = g.container_id`,
  },
  delivered: {
    types: ['uuid', 'text'],
    sql: (given) => `update gateway_sent t set delivered_at = gateway_clock()
       from ${given} as g(container_id, network_id), owned
      where t.container_id = g.container_id and t.network_id = g.network_id and owned.container_id = g.container_id
        and t.delivered_at is null`,
  },
  inbox: {
    types: ['uuid', 'uuid', 'text', 'bytea'],
    sql: (given) => `insert into gateway_inbox (driver, host, container_id, organization_id, event_id, body)
      select 'direct', 'any', g.container_id, g.organization_id, g.event_id, g.body
        from ${given} as g(container_id, organization_id, event_id, body) ${mine} on conflict do nothing`,
  },
} satisfies Record<string, Part>

type PartName = keyof typeof parts
type Columns = Record<PartName, unknown[][]>

const partNames = Object.keys(parts) as PartName[]

/**
 * Composes one statement that stores the batches of many numbers. It stores nothing of a number that another process
 * owns now, and returns the numbers that are still owned. Statements of the same parts have the same name and text.
 */
export function commitStatement(batches: readonly (readonly [BatchOwner, Batch])[], hostId: string): QueryConfig {
  const columns = emptyColumns()
  for (const [owner, batch] of batches) addBatch(columns, owner, batch)
  const used = partNames.filter((name) => columns[name][0]?.length)
  const ids = batches.map(([{ containerId }]) => containerId)
  const values: unknown[] = [ids, batches.map(([{ epoch }]) => epoch), hostId]
  const ctes = used.map((name) => {
    const { types, sql } = parts[name]
    const given = types.map((type, index) => `$${values.push(columns[name][index])}::${type}[]`)
    return `, ${name} as (${sql(`unnest(${given.join(', ')})`)})`
  })
  const text = `with given as (select * from unnest($1::uuid[], $2::bigint[]) as g(container_id, epoch)
    ), owned as materialized (
      select s.container_id from gateway_sessions s join given using (container_id)
       where s.epoch = given.epoch and s.host_id = $3 order by 1 for no key update of s
    )${ctes.join('')} select container_id as "containerId" from owned`
  return { name: `commit-${used.join('-')}`, text, values }
}

function emptyColumns(): Columns {
  return Object.fromEntries(partNames.map((name) => [name, parts[name].types.map(() => [])])) as unknown as Columns
}

function addBatch(columns: Columns, owner: BatchOwner, batch: Batch): void {
  const { containerId, organizationId, dataKey } = owner
  const add = (name: PartName, ...values: unknown[]) => {
    for (const [index, value] of values.entries()) columns[name][index]?.push(value)
  }
  for (const { kind, id, value } of batch.keys.values()) addKey({ kind, id, value })
  if (batch.credsChanged) add('creds', containerId, sealCreds(owner, owner.creds))
  for (const sent of batch.sent) addSent(sent)
  for (const id of batch.acked) add('acked', containerId, id)
  for (const id of batch.delivered) add('delivered', containerId, id)
  for (const event of batch.inbox) addEvent(event)

  function addKey({ kind, id, value }: KeyChange): void {
    if (value === null) add('gone', containerId, kind, id)
    else add('put', containerId, kind, id, seal(dataKey, `${containerId}/${kind}/${id}`, pack(value)))
  }
  function addSent({ id, chat, message, isPoll }: SentMessage): void {
    add('sent', containerId, id, chat, seal(dataKey, `${containerId}/sent/${id}`, message), isPoll)
  }
  function addEvent({ eventId, body }: InboxEvent): void {
    const id = `${containerId}/${eventId ?? randomUUID()}`
    add('inbox', containerId, organizationId, id, Buffer.from(JSON.stringify(body)))
  }
}
