import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

// Without a worker nothing is taken unless a test does it.
const server = await startTestServer({ worker: false })
await server.services.clock.freeze()
const organization = await makeOrganization(server)
const { reminders } = server.client(organization)
const phone = '12025550100'

function inMinutes(minutes: number): string {
  return new Date(server.services.clock.now().getTime() + minutes * 60_000).toISOString()
}

async function stored(): Promise<number> {
  const [counted] = await rows<{ count: number }>(server.db, 'select count(*) as count from reminders')
  return counted?.count ?? 0
}

describe('POST /reminders', () => {
  it('plans a message and returns the whole reminder', async () => {
    const sendAt = inMinutes(60)
    const { reminder } = await reminders.create({
      phone: '+1 (202) 555-0100',
      message: 'Dear {{name}}',
      sendAt,
      variables: { name: 'Jane' },
    })
    const now = inMinutes(0)
    expect(reminder).toEqual({
      id: expect.any(String),
      ownerId: organization.ownerId,
      containerId: null,
      label: null,
      phone,
      message: 'Dear {{name}}',
      variables: { name: 'Jane' },
      sendAt,
      firstSendAt: sendAt,
      repeat: 'none',
      status: 'scheduled',
      batchId: null,
      sendCount: 0,
      lastSentAt: null,
      lastMessageId: null,
      lastError: null,
      createdAt: now,
      updatedAt: now,
      lastMessageStatus: null,
      timeZone: 'UTC',
      clientReference: null,
    })
  })

  it('belongs to the person who is signed in', async () => {
    const token = await makeToken(server, organization, 'admin')
    const { reminder } = await server.client({ token }).reminders.create({ phone, message: 'm', sendAt: inMinutes(9) })
    expect(reminder.ownerId).not.toBe(organization.ownerId)
  })

  it('takes a time up to 5 minutes in the past, and refuses an earlier one', async () => {
    await reminders.create({ phone, message: 'm', sendAt: inMinutes(-5) })
    const before = await stored()
    await expect(reminders.create({ phone, message: 'm', sendAt: inMinutes(-5.01) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { sendAt: ['must be at most 5 minutes in the past'] },
    })
    expect(await stored()).toBe(before)
  })

  it('takes a number of the organization, and finds no other', async () => {
    const containerId = await makeNumber(server, organization)
    const foreign = await makeNumber(server, await makeOrganization(server))
    const planned = await reminders.create({ phone, message: 'm', sendAt: inMinutes(9), containerId })
    expect(planned.reminder.containerId).toBe(containerId)
    const refused = { code: 'NOT_FOUND' }
    const input = { message: 'm', containerId: foreign }
    await expect(reminders.create({ ...input, phone, sendAt: inMinutes(9) })).rejects.toMatchObject(refused)
    const rowsOfImport = [{ phone, sendAt: inMinutes(9) }]
    await expect(reminders.import({ ...input, rows: rowsOfImport })).rejects.toMatchObject(refused)
    await expect(reminders.update({ id: planned.reminder.id, containerId: foreign })).rejects.toMatchObject(refused)
  })
})

describe('POST /reminders/import', () => {
  it('plans 5,000 rows, and reports the past ones without planning them', async () => {
    const own = await makeOrganization(server)
    const client = server.client(own)
    const past = new Set([0, 17, 4999])
    const all = Array.from({ length: 5000 }, (_, row) => ({
      phone: `4915100${String(row).padStart(6, '0')}`,
      sendAt: past.has(row) ? inMinutes(-60) : inMinutes(60 + row),
      label: `row ${row}`,
      variables: { name: `Person ${row}` },
    }))
    const answer = await client.reminders.import({ message: 'Hello {{name}}', repeat: 'weekly', rows: all })
    expect(answer.created).toBe(4997)
    expect(answer.skipped).toEqual(
      [...past].map((row) => ({ row, phone: all[row]?.phone, sendAt: inMinutes(-60), reason: 'past' })),
    )
    const page = await client.reminders.list({ limit: 1 })
    expect(page.total).toBe(4997)
    expect(page.reminders).toMatchObject([
      { label: 'row 1', batchId: answer.batchId, repeat: 'weekly', variables: { name: 'Person 1' } },
    ])
  })

  it('refuses all rows for the sake of one bad row, names it and stores nothing', async () => {
    const before = await stored()
    const all = Array.from({ length: 5000 }, (_, row) => ({
      phone: row === 4321 ? '77123@lid' : `4915100${String(row).padStart(6, '0')}`,
      sendAt: inMinutes(60),
    }))
    const refused = await reminders.import({ message: 'Hello', rows: all }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(Object.keys((refused as { details: object }).details)).toEqual(['rows.4321.phone'])
    expect(await stored()).toBe(before)
  })

  it.each([-6, -1])('creates nothing of a list that is past altogether, by %i minutes', async (minutes) => {
    const answer = await reminders.import({ message: 'Hello', rows: [{ phone, sendAt: inMinutes(minutes) }] })
    expect(answer).toMatchObject({ created: 0, skipped: [{ row: 0, phone, reason: 'past' }] })
  })
})

describe('GET /reminders/:id', () => {
  it('returns one reminder as the list has it', async () => {
    const { reminder } = await reminders.create({ phone, message: 'm', sendAt: inMinutes(9), label: 'one' })
    const { reminder: read } = await reminders.get({ id: reminder.id })
    expect(read).toEqual(reminder)
    expect((await reminders.list({ search: 'one' })).reminders).toEqual([read])
  })

  it('responds with NOT_FOUND to an id that is no reminder, and with INVALID_ID to a text that is no id', async () => {
    await expect(reminders.get({ id: organization.ownerId })).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 })
    await expect(reminders.get({ id: 'one' })).rejects.toMatchObject({ code: 'INVALID_ID', status: 400 })
  })
})

describe('GET /reminders', () => {
  it('lists upcoming ones by their time, then the others by their latest change', async () => {
    const client = server.client(await makeOrganization(server))
    const ids = new Map<string, string>()
    for (const [name, minutes] of [
      ['late', 50],
      ['a', 30],
      ['soon', 10],
      ['b', 40],
      ['c', 20],
    ] as const) {
      const { reminder } = await client.reminders.create({
        phone,
        message: name,
        label: name,
        sendAt: inMinutes(minutes),
      })
      ids.set(name, reminder.id)
    }
    for (const name of ['b', 'c', 'a']) {
      await server.advance(1)
      await client.reminders.cancel({ id: ids.get(name) ?? '' })
    }
    const all = await client.reminders.list()
    expect(all).toMatchObject({ total: 5, page: 1, limit: 50 })
    expect(all.reminders.map(({ label }) => label)).toEqual(['soon', 'late', 'a', 'c', 'b'])
    const second = await client.reminders.list({ page: 2, limit: 2 })
    expect(second).toMatchObject({ total: 5, page: 2, limit: 2 })
    expect(second.reminders.map(({ label }) => label)).toEqual(['a', 'c'])
    const cancelled = await client.reminders.list({ status: 'cancelled', limit: 2 })
    expect(cancelled.total).toBe(3)
    expect(cancelled.reminders.map(({ label }) => label)).toEqual(['a', 'c'])
  })

  it('finds parts of a phone or of a label, as they are written', async () => {
    const client = server.client(await makeOrganization(server))
    for (const [to, label] of [
      ['12025550100', 'Zahnärztin 100%'],
      ['4915112345678', 'under_score'],
      ['4930123456', null],
    ] as const) {
      await client.reminders.create({ phone: to, message: 'm', sendAt: inMinutes(9), label })
    }
    async function found(search: string): Promise<string[]> {
      const page = await client.reminders.list({ search })
      expect(page.total).toBe(page.reminders.length)
      return page.reminders.map((reminder) => reminder.phone).sort()
    }
    expect(await found('49')).toEqual(['4915112345678', '4930123456'])
    expect(await found('+1 (202) 555')).toEqual(['12025550100'])
    expect(await found('zahnÄRZT')).toEqual(['12025550100'])
    expect(await found('0%')).toEqual(['12025550100'])
    expect(await found('_')).toEqual(['4915112345678'])
    expect(await found('%')).toEqual(['12025550100'])
    expect(await found('-')).toEqual([])
    expect(await found('')).toHaveLength(3)
  })

  it('shows nothing of another organization, and changes nothing of it', async () => {
    const { reminder } = await reminders.create({ phone, message: 'm', sendAt: inMinutes(9) })
    const stranger = server.client(await makeOrganization(server)).reminders
    expect(await stranger.list()).toMatchObject({ total: 0, reminders: [] })
    const { id } = reminder
    const refused = { code: 'NOT_FOUND' }
    await expect(stranger.get({ id })).rejects.toMatchObject(refused)
    await expect(stranger.update({ id, message: 'x' })).rejects.toMatchObject(refused)
    await expect(stranger.cancel({ id })).rejects.toMatchObject(refused)
    await expect(stranger.delete({ id })).rejects.toMatchObject(refused)
  })
})
