import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { registerClient } from '#testing/mcp/consent.ts'
import { startTestServer } from '#testing/start-server.ts'
import { columnClasses } from '#upkeep/move/column-classes.ts'
import { type CredentialName, credentials, noAccess, works } from './credentials.ts'
import { type AccessEvent, type EventName, events } from './events.ts'
import { expected } from './expected.ts'
import { type Holder, makeHolder } from './holder.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const world = { server, app: await registerClient(server) }
const names = Object.keys(credentials) as CredentialName[]

/** Returns for each credential whether it works, in the order in which they may be used. */
async function tryAll(
  holder: Holder,
  some: readonly CredentialName[],
): Promise<Partial<Record<CredentialName, boolean>>> {
  const working: Partial<Record<CredentialName, boolean>> = {}
  for (const name of some) working[name] = await works(name, holder)
  return working
}

describe('what lets a person in', () => {
  it('works before anything has happened', async () => {
    const holder = await makeHolder(world)
    expect(await tryAll(holder, names)).toEqual(Object.fromEntries(names.map((name) => [name, true])))
  })

  it.each(Object.keys(events) as EventName[])('ends or stays when %s', async (name) => {
    const event: AccessEvent = events[name]
    const row = expected[name]
    const holder = await makeHolder(world, event.person)
    await event.happen(holder)
    for (const credential of names.filter((one) => one.includes('stream') && row[one] === 'ends')) {
      await eventually(
        () => works(credential, holder),
        (isOpen) => !isOpen,
      )
    }
    const stays = (one: CredentialName) => row[one].startsWith('stays')
    // Using what stays may change the others, so with a way back it is used at the end.
    const first = event.undo ? names.filter((one) => !stays(one)) : names
    expect(await tryAll(holder, first)).toEqual(Object.fromEntries(first.map((one) => [one, stays(one)])))
    await event.undo?.(holder)
    const last = names.filter((one) => row[one] === 'pauses' || !first.includes(one))
    expect(await tryAll(holder, last)).toEqual(Object.fromEntries(last.map((one) => [one, true])))
  })

  it('is stored in tables that the catalogue of credentials names', async () => {
    const found = await rows<{ name: string }>(
      server.db,
      `select distinct c.relname::text as name
         from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and (c.relname ~ '(secret|token|key|code|challenge|link)s$'
              or a.attname ~ '(^|_)(hash|sealed|secret|secrets|token|password|mac|credential)(_|$)'
            and a.attname !~ '^(lease|send_started)_'
               or exists (select from pg_constraint k
                           where k.conrelid = c.oid and k.contype = 'f' and k.confrelid = 'users'::regclass))
        order by 1`,
    )
    const named = [...Object.values(credentials).flatMap(({ tables }) => tables), ...Object.keys(noAccess)]
    expect(found.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([])
    expect(named.filter((name) => !found.some((one) => one.name === name))).toEqual([])
  })

  it('is stored in columns of the class of credentials, whose tables the catalogue names', () => {
    const classed = Object.entries(columnClasses).filter(([, entry]) => {
      return 'given' in entry ? entry.moves.credential !== undefined : Object.values(entry).includes('credential')
    })
    const named: string[] = [...Object.values(credentials).flatMap(({ tables }) => tables), ...Object.keys(noAccess)]
    expect(classed.map(([table]) => table).filter((table) => !named.includes(table))).toEqual([])
    expect(classed.length).toBeGreaterThan(8)
  })
})
