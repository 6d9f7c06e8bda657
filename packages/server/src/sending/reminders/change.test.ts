import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { claimDue } from './due-store.ts'

// Without a worker nothing is taken unless a test does it.
const server = await startTestServer({ worker: false })
await server.services.clock.freeze()
const organization = await makeOrganization(server)
const { reminders } = server.client(organization)
const phone = '12025550100'

function inMinutes(minutes: number): string {
  return new Date(server.services.clock.now().getTime() + minutes * 60_000).toISOString()
}

/** A reminder that a worker holds at this moment. */
async function processing(): Promise<string> {
  const { reminder } = await reminders.create({ phone, message: 'held', sendAt: inMinutes(-4) })
  await claimDue(server.db, { token: crypto.randomUUID(), leaseMs: 120_000, limit: 100 })
  return reminder.id
}

describe('PUT /reminders/:id', () => {
  it('changes what is given and leaves the rest; variables replace all values', async () => {
    const sendAt = inMinutes(60)
    const created = await reminders.create({
      ...{ phone, message: 'm', sendAt, label: 'old', repeat: 'daily', timeZone: 'Europe/Berlin' },
      variables: { a: '1', b: '2' },
    })
    const { id } = created.reminder
    const changed = await reminders.update({ id, message: 'n', variables: { c: '3' } })
    expect(changed.reminder).toEqual({
      ...created.reminder,
      message: 'n',
      variables: { c: '3' },
      updatedAt: changed.reminder.updatedAt,
    })
    await expect(
      reminders.update({ id, message: 'Dear {{nmae}}, {{c}}', strictVariables: true }),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field: 'variables', message: 'must have a value for {{nmae}}' }],
    })
    const strict = { id, message: 'Dear {{c}}', strictVariables: true }
    expect((await reminders.update(strict)).reminder).toMatchObject({ message: 'Dear {{c}}', variables: { c: '3' } })
    const emptied = await reminders.update({ id, label: null, repeat: 'none', timeZone: 'UTC', phone: '4930123456' })
    expect(emptied.reminder).toMatchObject({
      label: null,
      repeat: 'none',
      timeZone: 'UTC',
      phone: '4930123456',
      sendAt,
    })
  })

  it('counts from a new sendAt, and refuses one in the past', async () => {
    const { reminder } = await reminders.create({ phone, message: 'm', sendAt: inMinutes(60), repeat: 'monthly' })
    const sendAt = inMinutes(90)
    const moved = await reminders.update({ id: reminder.id, sendAt })
    expect(moved.reminder).toMatchObject({ sendAt, firstSendAt: sendAt, status: 'scheduled' })
    await expect(reminders.update({ id: reminder.id, sendAt: inMinutes(-6) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { sendAt: ['must be at most 5 minutes in the past'] },
    })
  })

  it('takes the present time for nothing new: the 31st stays the 31st, and what went out stays out', async () => {
    const { reminder } = await reminders.create({ phone, message: 'm', sendAt: inMinutes(-2), repeat: 'monthly' })
    const { id } = reminder
    const sendAt = inMinutes(-1)
    await rows(server.db, 'update reminders set send_at = :sendAt, due_at = :sendAt where id = :id', { sendAt, id })
    const saved = await reminders.update({ id, sendAt, label: 'saved' })
    expect(saved.reminder).toMatchObject({ label: 'saved', sendAt, firstSendAt: reminder.firstSendAt })
    await rows(server.db, `update reminders set status = 'done' where id = :id`, { id })
    await expect(reminders.update({ id, sendAt, label: 'again' })).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'finished', status: 'done' },
    })
  })

  it('takes the present time of one that still fails, however long it has been due', async () => {
    const { reminder } = await reminders.create({ phone, message: 'm', sendAt: inMinutes(0) })
    const { id, sendAt } = reminder
    await server.advance(600)
    expect((await reminders.update({ id, sendAt, label: 'late' })).reminder).toMatchObject({ label: 'late', sendAt })
  })

  it('arms a cancelled one with the time it had, while that is still to come', async () => {
    const { reminder } = await reminders.create({ phone, message: 'm', sendAt: inMinutes(60) })
    const { id, sendAt } = reminder
    await reminders.cancel({ id })
    expect((await reminders.update({ id, sendAt })).reminder).toMatchObject({ status: 'scheduled', sendAt })
  })

  it.each([
    ['repeat', { repeat: 'weekly' }],
    ['timeZone', { timeZone: 'Europe/Berlin' }],
  ] as const)('counts a changed %s from the time that is due, and an equal one as before', async (_, change) => {
    const first = inMinutes(60)
    const { reminder } = await reminders.create({ phone, message: 'm', sendAt: first, repeat: 'daily' })
    const { id } = reminder
    const sendAt = inMinutes(60 + 3 * 1440)
    await rows(server.db, 'update reminders set send_at = :sendAt, due_at = :sendAt where id = :id', { sendAt, id })
    const same = await reminders.update({ id, repeat: 'daily', timeZone: 'UTC' })
    expect(same.reminder).toMatchObject({ sendAt, firstSendAt: first })
    const changed = await reminders.update({ id, ...change })
    expect(changed.reminder).toMatchObject({ ...change, sendAt, firstSendAt: sendAt })
  })

  it.each(['done', 'failed', 'cancelled'] as const)('arms one that is %s with a new sendAt only', async (status) => {
    const { reminder } = await reminders.create({ phone, message: 'm', sendAt: inMinutes(60) })
    const { id } = reminder
    await rows(server.db, `update reminders set status = :status, last_error = 'missed' where id = :id`, { status, id })
    const finished = { code: 'FORBIDDEN_ACTION', details: { reason: 'finished', status } }
    await expect(reminders.update({ id, message: 'n' })).rejects.toMatchObject(finished)
    await expect(reminders.cancel({ id })).rejects.toMatchObject(finished)
    expect((await reminders.list({ status })).reminders.find((one) => one.id === id)?.message).toBe('m')
    const sendAt = inMinutes(90)
    const armed = await reminders.update({ id, sendAt, message: 'n' })
    expect(armed.reminder).toMatchObject({
      status: 'scheduled',
      sendAt,
      firstSendAt: sendAt,
      message: 'n',
      lastError: null,
    })
  })
})

describe('a reminder that is being sent', () => {
  it('is neither changed nor armed nor cancelled', async () => {
    const id = await processing()
    const held = { code: 'FORBIDDEN_ACTION', details: { reason: 'processing', status: 'processing' } }
    await expect(reminders.update({ id, message: 'n' })).rejects.toMatchObject(held)
    await expect(reminders.update({ id, sendAt: inMinutes(60) })).rejects.toMatchObject(held)
    await expect(reminders.cancel({ id })).rejects.toMatchObject(held)
    const { reminders: all } = await reminders.list({ status: 'processing' })
    expect(all.find((one) => one.id === id)).toMatchObject({ message: 'held', status: 'processing' })
  })

  it('may be removed', async () => {
    const id = await processing()
    await reminders.delete({ id })
    await expect(reminders.cancel({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('POST /reminders/:id/cancel and DELETE', () => {
  it('stops a scheduled one, which stays in the list until it is removed', async () => {
    const { reminder } = await reminders.create({ phone, message: 'm', sendAt: inMinutes(60) })
    const { id } = reminder
    expect((await reminders.cancel({ id })).reminder).toMatchObject({ id, status: 'cancelled' })
    const listed = async () =>
      (await reminders.list({ status: 'cancelled', limit: 100 })).reminders.map((one) => one.id)
    expect(await listed()).toContain(id)
    await reminders.delete({ id })
    expect(await listed()).not.toContain(id)
    await expect(reminders.delete({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
