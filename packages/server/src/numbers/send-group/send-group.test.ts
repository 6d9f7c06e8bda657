import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { type MadeOrganization, makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })

async function ground(numbers: number) {
  const organization = await makeOrganization(server)
  const ids: string[] = []
  for (let n = 0; n < numbers; n += 1) ids.push(await makeNumber(server, organization))
  return {
    organization,
    ids: ids as [string, string, string, ...string[]],
    client: server.client(organization),
    owner: server.client({ token: await makeToken(server, organization) }),
  }
}

function activityOf({ organizationId }: MadeOrganization) {
  return rows<{ actorKind: string; details: unknown }>(
    server.db,
    `select actor_kind, details from activity_log
      where organization_id = :organizationId and action = 'send_group.changed' order by id`,
    { organizationId },
  )
}

const off = { enabled: false, containerIds: [], mode: 'backup', sticky: true }

describe('GET and PUT /session/send-group', () => {
  it('is off, without numbers, in backup mode and sticky until it is set', async () => {
    const { client } = await ground(0)
    expect(await client.numbers.sendGroup()).toEqual({ success: true, sendGroup: off })
  })

  it('keeps the order of its numbers, leaves what is left out, and records each change', async () => {
    const { organization, ids, client, owner } = await ground(3)
    const [a, b, c] = ids
    const on = { enabled: true, containerIds: [c, a, b], mode: 'backup', sticky: true }
    expect(await owner.numbers.setSendGroup({ enabled: true, containerIds: [c, a, b] })).toEqual({
      success: true,
      sendGroup: on,
    })
    expect(await owner.numbers.setSendGroup({ mode: 'share' })).toEqual({
      success: true,
      sendGroup: { ...on, mode: 'share' },
    })
    await owner.numbers.setSendGroup({ sticky: false })
    const last = { ...on, mode: 'share', sticky: false }
    expect((await client.numbers.sendGroup()).sendGroup).toEqual(last)
    await owner.numbers.setSendGroup({})
    await owner.numbers.setSendGroup({ sticky: false })
    const log = await activityOf(organization)
    expect(log).toHaveLength(3)
    expect(log[0]).toEqual({ actorKind: 'user', details: { before: off, after: on } })
    expect(log[2]?.details).toMatchObject({ after: last })
  })

  it('refuses a group that would be on without numbers, given or stored, and changes nothing', async () => {
    const { organization, ids, owner } = await ground(1)
    const refusal = { code: 'VALIDATION_ERROR', details: { containerIds: [expect.any(String)] } }
    await expect(owner.numbers.setSendGroup({ enabled: true })).rejects.toMatchObject(refusal)
    await expect(owner.numbers.setSendGroup({ enabled: true, containerIds: [] })).rejects.toMatchObject(refusal)
    await owner.numbers.setSendGroup({ enabled: true, containerIds: [ids[0]] })
    await expect(owner.numbers.setSendGroup({ containerIds: [] })).rejects.toMatchObject(refusal)
    expect((await owner.numbers.sendGroup()).sendGroup).toMatchObject({ enabled: true, containerIds: [ids[0]] })
    expect(await activityOf(organization)).toHaveLength(1)
    await owner.numbers.setSendGroup({ enabled: false, containerIds: [] })
    expect((await owner.numbers.sendGroup()).sendGroup).toEqual(off)
  })

  it('responds with NOT_FOUND for a number of another organization as for an unknown one', async () => {
    const { ids, owner } = await ground(1)
    const other = await ground(1)
    const refusals = await Promise.all(
      [other.ids[0], newId()].map((id) =>
        owner.numbers.setSendGroup({ enabled: true, containerIds: [ids[0], id] }).catch((error) => error),
      ),
    )
    expect(refusals[0]).toMatchObject({ code: 'NOT_FOUND', status: 404 })
    expect(refusals[1].message).toBe(refusals[0].message)
    expect((await owner.numbers.sendGroup()).sendGroup).toEqual(off)
  })

  it('keeps a number that it holds from being removed, on or off, until it is taken out', async () => {
    const { ids, owner } = await ground(2)
    const [a, b] = ids
    await owner.numbers.setSendGroup({ containerIds: [a, b] })
    await expect(owner.numbers.delete({ containerId: b })).rejects.toMatchObject({
      code: 'IN_USE',
      status: 409,
      details: { usedBy: 'send_group' },
    })
    await owner.numbers.setSendGroup({ containerIds: [a] })
    expect(await owner.numbers.delete({ containerId: b })).toEqual({ success: true })
  })

  it('never holds a removed number, however a change and a removal meet', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ids, owner } = await ground(2)
      await Promise.allSettled([
        owner.numbers.setSendGroup({ enabled: true, containerIds: [...ids] }),
        owner.numbers.delete({ containerId: ids[1] }),
      ])
      const { containerIds } = (await owner.numbers.sendGroup()).sendGroup
      const { sessions } = await owner.numbers.list()
      expect(sessions.map(({ id }) => id)).toEqual(expect.arrayContaining(containerIds))
    }
  })
})

describe('sends of an organization with a send group', () => {
  const to = (n: number) => `1202555${String(2000 + n)}`

  it('go through the default in backup mode, and through the next of the group while that is down', async () => {
    const { ids, client, owner } = await ground(3)
    const [a, b, c] = ids
    const next = async (n = 0) => (await client.alert.send({ phone: to(n), message: 'hi' })).containerId
    await owner.numbers.setSendGroup({ enabled: true, containerIds: [c, b] })
    expect(await next()).toBe(a)
    await client.numbers.stop({ containerId: a })
    expect(await next(1)).toBe(c)
    await client.numbers.stop({ containerId: c })
    expect(await next(2)).toBe(b)
    expect((await client.alert.send({ phone: to(3), message: 'hi', containerId: b })).containerId).toBe(b)
    await expect(client.alert.send({ phone: to(3), message: 'hi', containerId: c })).rejects.toMatchObject({
      code: 'NO_SESSION_CONFIGURED',
    })
  })

  it('keep a sticky contact on the stand-in it had, and not one that does not stick', async () => {
    const { ids, client, owner } = await ground(3)
    const [a, b, c] = ids
    await owner.numbers.setSendGroup({ enabled: true, containerIds: [b, c] })
    await client.alert.send({ phone: to(1), message: 'hi', containerId: c })
    await client.numbers.stop({ containerId: a })
    const known = async () => (await client.alert.send({ phone: to(1), message: 'hi' })).containerId
    expect(await known()).toBe(c)
    expect((await client.alert.send({ phone: to(2), message: 'hi' })).containerId).toBe(b)
    await owner.numbers.setSendGroup({ sticky: false })
    expect(await known()).toBe(b)
  })

  it('are spread evenly in share mode, a batch as well as single ones, and stay with their contact', async () => {
    const { ids, client, owner } = await ground(3)
    await owner.numbers.setSendGroup({ enabled: true, containerIds: ids, mode: 'share' })
    const first = await client.alert.batch({
      recipients: Array.from({ length: 90 }, (_, n) => to(n)),
      message: 'to many',
    })
    const counts = ids.map((id) => first.messages.filter(({ containerId }) => containerId === id).length)
    expect(counts).toEqual([30, 30, 30])

    const single: string[] = []
    for (let n = 100; n < 130; n += 1) {
      single.push((await client.alert.send({ phone: to(n), message: 'to one' })).containerId)
    }
    expect(ids.map((id) => single.filter((chosen) => chosen === id).length)).toEqual([10, 10, 10])

    const again = await client.alert.batch({
      recipients: [...first.messages].reverse().map(({ phone }) => phone),
      message: 'again',
    })
    const before = new Map(first.messages.map(({ phone, containerId }) => [phone, containerId]))
    expect(again.messages.every(({ phone, containerId }) => before.get(phone) === containerId)).toBe(true)
  })
})
