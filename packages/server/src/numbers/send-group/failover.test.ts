import { describe, expect, it } from 'vitest'
import { applyState } from '#numbers/connection/state.ts'
import { sweepNumbers } from '#numbers/sweep.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { enqueueTexts } from '#sending/messages/queue/enqueue.ts'
import { startOutcomeWriter } from '#sending/messages/queue/outcome-writer.ts'
import { makeGroup } from '#testing/features/send-group.ts'
import { startTestServer } from '#testing/start-server.ts'
import { selectSender } from './select-number.ts'

// Without a worker nothing leaves, so that a test sees where messages wait.
const server = await startTestServer({ worker: false })

describe('a number of a send group that goes down', () => {
  it('hands what waits on it to the next one in its order, with ids and attempts as they are', async () => {
    const { ids, client, send, goesDown, comesUp, queues } = await makeGroup(server)
    const [a, b, c] = ids
    for (const text of ['one', 'two', 'three']) await send(text)
    await rows(server.db, `update messages set attempts = 2 where container_id = :a and content = 'two'`, { a })
    const facts = () =>
      rows(
        server.db,
        `select id, network_client_id, attempts, due_at, queue_at from messages
          where container_id = any(:ids::uuid[]) order by id`,
        { ids },
      )
    const before = await facts()
    await goesDown(a)
    expect(await queues()).toEqual({ [b]: ['one', 'two', 'three'] })
    expect(await facts()).toEqual(before)
    const { messages } = await client.messages.list()
    expect(messages.map(({ containerId }) => containerId)).toEqual([b, b, b])

    await goesDown(b)
    expect(await queues()).toEqual({ [c]: ['one', 'two', 'three'] })
    await comesUp(a)
    await send('new')
    expect(await queues()).toEqual({ [c]: ['one', 'two', 'three'], [a]: ['new'] })
  })

  it('keeps messages of an explicit number and of a number’s key, which wait for it', async () => {
    const { ids, send, goesDown, comesUp, queues } = await makeGroup(server)
    const [a, b] = ids
    await send('any number')
    await send('this number', { containerId: a })
    await goesDown(a)
    expect(await queues()).toEqual({ [b]: ['any number'], [a]: ['this number'] })
    await comesUp(a)
    expect(await queues()).toEqual({ [b]: ['any number'], [a]: ['this number'] })
  })

  it('keeps them all while no other works; they move when the first comes up, in their order', async () => {
    const { ids, send, goesDown, comesUp, queues } = await makeGroup(server)
    const [a, b, c] = ids
    await goesDown(b)
    await goesDown(c)
    for (const text of ['one', 'two']) await send(text)
    await send('urgent', { priority: 'high' })
    await goesDown(a)
    expect(await queues()).toEqual({ [a]: ['one', 'two', 'urgent'] })
    await comesUp(c)
    expect(await queues()).toEqual({ [c]: ['one', 'two', 'urgent'] })
  })

  it('keeps a message that a worker holds until its outcome is known, and one the network may have', async () => {
    const { ids, send, goesDown, queues } = await makeGroup(server)
    const [a, b] = ids
    await send('waits')
    const held = await send('held')
    const unknown = await send('unknown')
    const set = (id: string, change: string) => rows(server.db, `update messages set ${change} where id = :id`, { id })
    await set(
      held,
      `status = 'sending', lease_token = gen_random_uuid(), lease_until = service_now() + interval '1 minute'`,
    )
    await set(unknown, 'outcome_unknown_since = service_now()')
    await goesDown(a)
    expect(await queues()).toEqual({ [b]: ['waits'], [a]: ['unknown'] })
    const [message] = await rows(server.db, 'select status, container_id from messages where id = :id', { id: held })
    expect(message).toEqual({ status: 'sending', containerId: a })
  })

  it('moves nothing while the group is off, and at once when it is turned on', async () => {
    const { ids, owner, send, goesDown, queues } = await makeGroup(server, { enabled: false })
    const [a, b] = ids
    await send('one')
    await goesDown(a)
    expect(await queues()).toEqual({ [a]: ['one'] })
    await owner.numbers.setSendGroup({ enabled: true })
    expect(await queues()).toEqual({ [b]: ['one'] })
  })

  it('shares its queue evenly among the others in share mode, messages of a contact together, in order', async () => {
    const { ids, send, goesDown, comesUp, queues } = await makeGroup(server, { mode: 'share' })
    const [a, b, c] = ids
    await goesDown(b)
    await goesDown(c)
    const texts = Array.from({ length: 40 }, (_, n) => `${n % 10} ${String(n).padStart(2, '0')}`)
    for (const text of texts) await send(text, { phone: `1202555210${text[0]}` })
    await comesUp(b)
    await comesUp(c)
    expect(await queues()).toEqual({ [a]: texts })

    await goesDown(a)
    const moved = await queues()
    expect(Object.keys(moved).sort()).toEqual([b, c].sort())
    const contacts = (id: string) => new Set(moved[id]?.map((text) => text[0]))
    expect([contacts(b).size, contacts(c).size]).toEqual([5, 5])
    for (const id of [b, c]) expect(moved[id]).toEqual(texts.filter((text) => contacts(id).has(text[0] ?? '')))
  })

  it('never strands a message when two go down at once, each the stand-in of the other', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { ids, send, goesDown, comesUp, queues } = await makeGroup(server)
      const [a, b, c] = ids
      await send('from a')
      await goesDown(a)
      await comesUp(a)
      await send('from a too')
      await Promise.all([goesDown(a), goesDown(b)])
      expect(await queues()).toEqual({ [c]: ['from a', 'from a too'] })
    }
  })

  it('hands on what was queued for it a moment too late', async () => {
    const { organization, ids, goesDown, queues } = await makeGroup(server)
    const [a, b] = ids
    const { organizationId } = organization
    const chosen = await selectSender(server.db, { organizationId, containerId: null }, undefined)
    expect(chosen).toEqual({ containerId: a, pinned: false })
    await goesDown(a)
    await transaction(server.db, (trx) =>
      enqueueTexts(trx, server.services.clock, [
        {
          ...chosen,
          organizationId,
          type: 'alert',
          recipient: '12025550121',
          text: 'late',
          priority: 'normal',
          clientReference: null,
        },
      ]),
    )
    expect(await queues()).toEqual({ [b]: ['late'] })
  })

  it('hands on a queue longer than one transaction moves, whole and in order', async () => {
    const { organization, ids, goesDown } = await makeGroup(server)
    const [a, b] = ids
    await rows(
      server.db,
      `insert into messages (id, organization_id, container_id, type, kind, recipient, content, priority, status,
                             network_client_id, due_at, queue_at, created_at)
       select gen_random_uuid(), :organizationId, :a, 'alert', 'text', '12025550121', n, 'normal', 'queued',
              'n' || n, t.now, t.now + n * interval '1 millisecond', t.now
         from generate_series(1, 12000) n, (select service_now() as now) t`,
      { organizationId: organization.organizationId, a },
    )
    await goesDown(a)
    const moved = await rows<{ number: string; count: number; ordered: boolean }>(
      server.db,
      `select container_id as number, count(*), bool_and(content::int = place) as ordered
         from (select *, row_number() over (order by queue_at) as place
                 from messages where container_id = any(:ids::uuid[])) m group by 1`,
      { ids },
    )
    expect(moved).toEqual([{ number: b, count: 12_000, ordered: true }])
  })

  it('is found by the sweep when messages were left on it', async () => {
    const { ids, send, goesDown, queues } = await makeGroup(server)
    const [a, b] = ids
    const id = await send('left behind')
    await goesDown(a)
    await rows(server.db, 'update messages set container_id = :a where id = :id', { a, id })
    await rows(server.db, 'update lanes set next_claim_at = service_now() where container_id = :a', { a })
    await sweepNumbers(server.services)
    expect(await queues()).toEqual({ [b]: ['left behind'] })
  })
})

describe('a number that is removed', () => {
  it('leaves what may move to the group, and fails what was meant for it alone', async () => {
    const { ids, client, owner, send, queues } = await makeGroup(server)
    const [a, b, c] = ids
    await send('any number')
    const pinned = await send('this number', { containerId: a })
    await owner.numbers.setSendGroup({ containerIds: [c, b] })
    expect(await owner.numbers.delete({ containerId: a })).toEqual({ success: true })
    expect(await queues()).toEqual({ [c]: ['any number'] })
    const { message } = await client.messages.get({ id: pinned })
    expect(message).toMatchObject({ status: 'failed', errorCode: 'NUMBER_REMOVED' })
  })

  it.each([
    { what: 'the default that works', down: [], heir: 1 },
    { what: 'another that works while the default does not', down: [1], heir: 2 },
    { what: 'the default, to wait there, while none works', down: [1, 2], heir: 1 },
  ])('leaves it to $what when the group is off', async ({ down, heir }) => {
    const { ids, owner, send, goesDown, queues } = await makeGroup(server, { enabled: false })
    await owner.numbers.setSendGroup({ containerIds: [] })
    await send('any number')
    await owner.numbers.update({ containerId: ids[1], isDefault: true })
    for (const n of down) await goesDown(ids[n] ?? '')
    await owner.numbers.delete({ containerId: ids[0] })
    expect(await queues()).toEqual({ [ids[heir] ?? '']: ['any number'] })
  })
})

describe('a number that is linked to another phone', () => {
  it('holds what is meant for it alone; the rest has moved, and new sends go elsewhere until a release', async () => {
    const { organization, ids, client, send, queues } = await makeGroup(server)
    const [a, b] = ids
    const { gateway } = server.services
    const session = { containerId: a, organizationId: organization.organizationId }
    await send('any number')
    await send('this number', { containerId: a })
    await gateway.logout(session)
    const report = async () =>
      applyState(server.services, { ...session, state: await gateway.state(session), source: 'network' })
    await report()
    await gateway.pairingCode(session, '12025569999')
    await report()
    expect(await client.numbers.status({ containerId: a })).toMatchObject({
      status: 'WORKING',
      manager: { queuesPaused: true },
    })
    expect(await queues()).toEqual({ [b]: ['any number'], [a]: ['this number'] })
    await send('new')
    expect((await queues())[b]).toEqual(['any number', 'new'])
    await client.numbers.release({ containerId: a, action: 'send' })
    await send('newer')
    expect(await queues()).toEqual({ [b]: ['any number', 'new'], [a]: ['this number', 'newer'] })
  })
})

describe('a message that a worker holds when its number goes down', () => {
  const taken = async (id: string) => {
    const [claimed] = await rows<{ containerId: string; token: string }>(
      server.db,
      `update messages set status = 'sending', attempts = attempts + 1, lease_token = gen_random_uuid(),
              lease_until = service_now() + interval '1 minute'
        where id = :id returning container_id, lease_token as token`,
      { id },
    )
    if (!claimed) throw new Error('there is no such message')
    return { id, ...claimed }
  }
  const write = async (settled: Parameters<ReturnType<typeof startOutcomeWriter>['add']>[0]) => {
    const writer = startOutcomeWriter(server.services, 1)
    writer.add(settled)
    await writer.drain(5000)
  }
  const failed = (unknownSince: Date | null) => ({
    is: 'retry' as const,
    attempt: { at: server.services.clock.now(), error: 'The number is not connected.' },
    dueAt: new Date(server.services.clock.now().getTime() + 10_000),
    unknownSince,
    pauseLane: false,
    keepsPlace: true,
  })

  it('moves before those behind it once it is known not to have gone out, and waits no longer', async () => {
    const { ids, client, send, goesDown, queues } = await makeGroup(server)
    const [a, b] = ids
    const first = await taken(await send('first'))
    await send('second')
    await goesDown(a)
    expect(await queues()).toEqual({ [b]: ['second'] })
    await write({ ...first, outcome: failed(null) })
    expect(await queues()).toEqual({ [b]: ['first', 'second'] })
    const [due] = await rows(server.db, 'select due_at <= service_now() as now from messages where id = :id', {
      id: first.id,
    })
    expect(due).toEqual({ now: true })
    expect((await client.messages.get({ id: first.id })).message).toMatchObject({ containerId: b, attempts: 1 })
  })

  it('stays with its number when its outcome is unknown', async () => {
    const { ids, send, goesDown, comesUp, queues } = await makeGroup(server)
    const [a] = ids
    const first = await taken(await send('first'))
    await goesDown(a)
    await write({ ...first, outcome: failed(server.services.clock.now()) })
    expect(await queues()).toEqual({ [a]: ['first'] })
    await comesUp(a)
    expect(await queues()).toEqual({ [a]: ['first'] })
  })

  it('moves to another number when its own was removed during the attempt', async () => {
    const { ids, owner, send, queues } = await makeGroup(server)
    const [a, b, c] = ids
    const first = await taken(await send('first'))
    await owner.numbers.setSendGroup({ containerIds: [b, c] })
    await owner.numbers.delete({ containerId: a })
    await write({ ...first, outcome: { is: 'released' } })
    expect(await queues()).toEqual({ [b]: ['first'] })
  })
})
