import { describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { sendDueReminders } from './send-due.ts'

// Without a worker the job runs when a test says so, and what is queued stays where it is seen.
const server = await startTestServer({ worker: false })
await server.services.clock.freeze()
const phone = '12025550100'
const organization = await makeOrganization(server)
await makeNumber(server, organization)
const { reminders, campaigns, messages } = server.client(organization)

function inMinutes(minutes: number): string {
  return new Date(server.services.clock.now().getTime() + minutes * 60_000).toISOString()
}

describe('the reference of a planned send', () => {
  it('is in the record, changes, and is on the message of a reminder', async () => {
    const plan = { phone, message: 'Tea?', sendAt: inMinutes(1) }
    const { reminder } = await reminders.create({ ...plan, clientReference: 'booking-7' })
    expect(reminder.clientReference).toBe('booking-7')
    const { id } = reminder
    expect((await reminders.update({ id, clientReference: null })).reminder.clientReference).toBeNull()
    await reminders.update({ id, clientReference: 'booking-8' })
    expect((await reminders.update({ id, label: 'kept' })).reminder.clientReference).toBe('booking-8')
    await server.advance(60)
    await sendDueReminders(server.services)
    expect((await messages.list({ clientReference: 'booking-8' })).messages).toMatchObject([{ reminderId: id }])
  })

  it('is one for each row of an import', async () => {
    const row = { phone, sendAt: inMinutes(9) }
    const { batchId } = await reminders.import({
      message: 'Tea?',
      rows: [{ ...row, clientReference: 'a' }, row],
    })
    const own = (await reminders.list()).reminders.filter((each) => each.batchId === batchId)
    expect(own.map(({ clientReference }) => clientReference).sort()).toEqual(['a', null])
  })

  it('is on every message of a campaign, also on one that fails at once', async () => {
    const recipients = [{ phone, variables: { name: 'Ada' } }, { phone: '12025550102' }]
    const strictVariables = false
    const { campaign } = await campaigns.create({
      ...{ name: 'Spring', template: '{{name}}', recipients, strictVariables },
      clientReference: 'spring',
    })
    await campaigns.update({ id: campaign.id, clientReference: 'spring-2' })
    expect(await campaigns.get({ id: campaign.id })).toMatchObject({ clientReference: 'spring-2' })
    await campaigns.send({ id: campaign.id })
    const sent = (await messages.list({ clientReference: 'spring-2' })).messages
    expect(sent.map(({ status }) => status).sort()).toEqual(['failed', 'queued'])
  })
})

describe('a local time', () => {
  it.each([
    ['2099-12-31T09:00', '2099-12-31T08:00:00.000Z'],
    ['2099-07-01T09:00:30.5', '2099-07-01T07:00:30.500Z'],
    // The clocks skip this hour, and repeat that one.
    ['2099-03-29T02:30', '2099-03-29T01:30:00.000Z'],
    ['2099-10-25T02:30:00', '2099-10-25T00:30:00.000Z'],
    ['2099-12-31T09:00+05:00', '2099-12-31T04:00:00.000Z'],
  ])('%s in Berlin is %s', async (sendAt, instant) => {
    const timeZone = 'Europe/Berlin'
    const { reminder } = await reminders.create({ phone, message: 'Tea?', sendAt, timeZone })
    expect(reminder).toMatchObject({ sendAt: instant, timeZone })
    const { id } = reminder
    const moved = await reminders.update({ id, sendAt: '2098-12-31T09:00', timeZone: 'Asia/Tokyo' })
    expect(moved.reminder.sendAt).toBe('2098-12-31T00:00:00.000Z')
  })

  it('needs its zone beside it, in every row', async () => {
    const sendAt = '2099-12-31T09:00'
    const issue = {
      code: 'invalid_datetime',
      message: 'must be ISO 8601 with Z or an offset, like 2026-10-01T09:00:00Z, or have timeZone beside it',
    }
    await expect(reminders.create({ phone, message: 'Tea?', sendAt })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field: 'sendAt', ...issue }],
    })
    const { reminder } = await reminders.create({ phone, message: 'Tea?', sendAt, timeZone: 'UTC' })
    await expect(reminders.update({ id: reminder.id, sendAt })).rejects.toMatchObject({
      issues: [{ field: 'sendAt', ...issue }],
    })
    const rows = [
      { phone, sendAt, timeZone: 'Asia/Tokyo' },
      { phone, sendAt },
    ]
    await expect(reminders.import({ message: 'Tea?', rows })).rejects.toMatchObject({
      issues: [{ field: 'rows.1.sendAt', ...issue }],
    })
    await expect(reminders.create({ phone, message: 'Tea?', sendAt: 'tomorrow' })).rejects.toMatchObject({
      issues: [{ field: 'sendAt', code: 'invalid_datetime' }],
    })
  })
})

describe('a local time that no instant can be made of', () => {
  it.each(['2027-10-01T09:00:00.1234567890', '9999-12-31T23:59', '9500-01-01T00:00', '0000-01-01T00:00'])(
    '%s is refused by every route, with a zone and without',
    async (sendAt) => {
      const { reminder } = await reminders.create({ phone, message: 'Tea?', sendAt: '2099-12-31T09:00:00Z' })
      for (const zone of [{}, { timeZone: 'America/New_York' }]) {
        const given = { phone, sendAt, ...zone }
        const refused = { code: 'VALIDATION_ERROR', issues: [{ field: 'sendAt', code: 'invalid_datetime' }] }
        await expect(reminders.create({ message: 'Tea?', ...given })).rejects.toMatchObject(refused)
        await expect(reminders.update({ id: reminder.id, ...given })).rejects.toMatchObject(refused)
        await expect(reminders.import({ message: 'Tea?', rows: [given] })).rejects.toMatchObject({
          issues: [{ field: 'rows.0.sendAt', code: 'invalid_datetime' }],
        })
      }
    },
  )
})

describe('strictVariables', () => {
  const sendAt = '2099-12-31T09:00:00Z'

  it('refuses a reminder whose text has a placeholder without a value', async () => {
    await expect(reminders.create({ phone, message: 'Dear {{name}}', sendAt })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field: 'variables', message: 'must have a value for {{name}}' }],
    })
    const filled = { phone, message: 'Dear {{name}}', sendAt, variables: { name: 'Ada' } }
    expect((await reminders.create(filled)).reminder.status).toBe('scheduled')
    const rows = [
      { phone, sendAt, variables: { name: 'Ada' } },
      { phone, sendAt },
    ]
    await expect(reminders.import({ message: 'Dear {{name}}', rows })).rejects.toMatchObject({
      issues: [{ field: 'rows.1.variables', message: 'must have a value for {{name}}' }],
    })
    expect(await reminders.import({ message: 'Dear {{name}}', rows, strictVariables: false })).toMatchObject({
      created: 2,
    })
  })

  it('is off on the wire', async () => {
    const { request } = server.client(organization)
    const created = await request('POST', '/reminders', { phone, message: 'Dear {{name}}', sendAt })
    expect(created.response.status).toBe(201)
  })
})
