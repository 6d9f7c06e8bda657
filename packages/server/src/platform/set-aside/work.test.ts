import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { startTestServer } from '#testing/start-server.ts'
import { workOn } from './work.ts'
import {
  deleteExpiredSuspects,
  insertBatch,
  listSetAside,
  renewBatch,
  type WorkItem,
  writeSetAside,
} from './work-store.ts'

const server = await startTestServer({ worker: false })
const { db } = server
const lines: string[] = []
const services = { db, log: pino({ level: 'error' }, { write: (line: string) => void lines.push(line) }) }
const kind = 'mails'
const all = { kind: null, organizationId: null, limit: 100 }

const newItem = (): WorkItem => ({ id: crypto.randomUUID(), organizationId: crypto.randomUUID() })

/** Works on items; returns the groups in which they were worked on, and those that were set aside. */
async function work(...items: WorkItem[]) {
  const groups: string[][] = []
  const setAside: string[] = []
  const leftOut = await workOn(services, kind, items, {
    run: async (group) => void groups.push(group.map(({ id }) => id)),
    setAside: async ({ id }) => void setAside.push(id),
  })
  return { groups, setAside, inWork: leftOut.inWork.map(({ id }) => id) }
}

/** A process begins to work on items together; it dies unless it lives. */
async function begin(...items: WorkItem[]): Promise<string> {
  const id = crypto.randomUUID()
  await insertBatch(db, { id, kind, items })
  return id
}
const expire = () => server.advance(21)
const idsOf = (...items: WorkItem[]) => items.map(({ id }) => id)

describe('work on items', () => {
  it('is done together while no process died with one of them, and leaves nothing behind', async () => {
    const [a, b] = [newItem(), newItem()]
    expect(await work(a, b)).toEqual({ groups: [idsOf(a, b)], setAside: [], inWork: [] })
    expect(await rows(db, 'select id from work_batches')).toEqual([])
    expect(await work()).toEqual({ groups: [], setAside: [], inWork: [] })
  })

  it('leaves out what another process works on, for as long as that renews its lease', async () => {
    const [a, b] = [newItem(), newItem()]
    const batch = await begin(a)
    expect(await work(a, b)).toEqual({ groups: [idsOf(b)], setAside: [], inWork: idsOf(a) })
    await server.advance(15)
    await renewBatch(db, batch)
    await server.advance(15)
    expect((await work(a)).inWork).toEqual(idsOf(a))
    await expire()
    expect((await work(a)).groups).toEqual([idsOf(a)])
  })

  it('is done in groups after a process died, those that lost the most last and alone', async () => {
    const [often, once, twice, never] = [newItem(), newItem(), newItem(), newItem()]
    for (const batch of [[often, twice, once], [often, twice], [often]]) {
      await begin(...batch)
      await expire()
    }
    const groups = [idsOf(never), idsOf(once), idsOf(twice), idsOf(often)]
    expect(await work(often, twice, once, never)).toEqual({ groups, setAside: [], inWork: [] })
    // They survived it.
    expect((await work(often, twice)).groups).toEqual([idsOf(often, twice)])
  })

  it('sets aside the item that ends processes, says so in the log and lists it', async () => {
    const [poison, other] = [newItem(), newItem()]
    for (const batch of [[poison, other], [poison, other], [poison], [poison]]) {
      await begin(...batch)
      await expire()
    }
    lines.length = 0
    expect(await work(poison, other)).toEqual({ groups: [idsOf(other)], setAside: idsOf(poison), inWork: [] })
    expect(lines.join('')).toContain(`"event":"item_set_aside","kind":"mails","item":"${poison.id}"`)
    expect(await listSetAside(db, { ...all, organizationId: poison.organizationId })).toMatchObject([
      { kind, item: poison.id },
    ])
  })

  it('that fails is no death, and clears its items', async () => {
    const item = newItem()
    for (let failure = 0; failure < 6; failure++) {
      const failing = workOn(services, kind, [item], { run: () => Promise.reject(new Error('odd')) })
      await expect(failing).rejects.toThrow('odd')
    }
    await begin(item)
    await expire()
    expect((await work(item)).groups).toEqual([idsOf(item)])
    expect(await rows(db, 'select item from suspects where item = :id', { id: item.id })).toEqual([])
  })

  it('that an organization wants again after it was set aside ends at most one more process', async () => {
    const item = newItem()
    await writeSetAside(db, kind, item)
    expect((await work(item)).groups).toEqual([idsOf(item)])
    await writeSetAside(db, kind, item)
    await rows(db, `update suspects set lost_processes = 3, set_aside_at = null where item = :id`, { id: item.id })
    await begin(item)
    await expire()
    expect((await work(item)).setAside).toEqual(idsOf(item))
  })
})

describe('a suspicion', () => {
  it('is forgotten after a day, and the end of an item is listed for a month', async () => {
    await rows(db, 'delete from suspects')
    const [suspect, final, staying] = [newItem(), newItem(), newItem()]
    await begin(suspect)
    await expire()
    await work(newItem())
    await writeSetAside(db, kind, final)
    await writeSetAside(db, 'numbers', staying)
    const left = async () => (await rows<{ item: string }>(db, 'select item from suspects')).map(({ item }) => item)
    expect(await deleteExpiredSuspects(db)).toBe(0)
    await server.advance(86_401)
    expect(await deleteExpiredSuspects(db)).toBe(1)
    expect((await left()).sort()).toEqual(idsOf(final, staying).sort())
    await server.advance(30 * 86_400)
    expect(await deleteExpiredSuspects(db)).toBe(1)
    expect(await left()).toEqual(idsOf(staying))
  })
})
