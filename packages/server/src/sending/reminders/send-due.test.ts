import type { Reminder } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { applyState } from '#numbers/connection/state.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { countTrial } from '#sending/messages/trial-store.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { serveDatabase, startTestServer, type TestServer } from '#testing/start-server.ts'
import { claimDue } from './due-store.ts'
import { sendClaimed, sendDueReminders } from './send-due.ts'

// Without a worker the job runs when a test says so, and what is queued stays where it is seen.
const server = await startTestServer({ worker: false })
await server.services.clock.freeze()
const phone = '12025550100'
const minute = 60
const hour = 3600
const day = 86_400

type Input = Parameters<ReturnType<TestServer['client']>['reminders']['create']>[0]

/** An organization with a number that works, and what its tests ask. */
async function makeReader(options: Parameters<typeof makeOrganization>[1] = {}) {
  const organization = await makeOrganization(server, options)
  const containerId = await makeNumber(server, organization)
  const client = server.client(organization)
  const { organizationId } = organization
  return {
    organization,
    organizationId,
    containerId,
    client,
    async plan(input: Partial<Input> = {}): Promise<string> {
      const sendAt = new Date(server.services.clock.now().getTime() + minute * 1000).toISOString()
      const plan = { phone, message: 'Tea?', sendAt, strictVariables: false, ...input }
      return (await client.reminders.create(plan)).reminder.id
    },
    async read(id: string): Promise<Reminder> {
      const found = (await client.reminders.list()).reminders.find((reminder) => reminder.id === id)
      if (!found) throw new Error('the reminder is not listed')
      return found
    },
    messages: async () => (await client.messages.list()).messages,
    becomes: (status: 'FAILED' | 'WORKING') =>
      applyState(server.services, { organizationId, containerId, state: { status, me: null }, source: 'network' }),
  }
}

/** Time passes, and the job comes by. */
async function after(seconds: number): Promise<void> {
  await server.advance(seconds)
  await sendDueReminders(server.services)
}

describe('a reminder at its time', () => {
  it('queues its text, filled in, and is done', async () => {
    const { plan, read, messages, containerId } = await makeReader()
    const id = await plan({ message: 'Dear {{ name }}, {{none}}tea?', variables: { name: 'Jané' } })
    await after(59)
    expect(await messages()).toEqual([])
    expect(await read(id)).toMatchObject({ status: 'scheduled' })
    await after(1)
    const [message, ...others] = await messages()
    expect(others).toEqual([])
    expect(message).toMatchObject({
      ...{ type: 'alert', recipient: phone, content: 'Dear Jané, tea?', status: 'queued', priority: 'normal' },
      ...{ containerId, reminderId: id, campaignId: null },
    })
    expect(await read(id)).toMatchObject({
      ...{ status: 'done', sendCount: 1, lastError: null, lastMessageId: message?.id, lastMessageStatus: 'queued' },
      lastSentAt: server.services.clock.now().toISOString(),
    })
    await after(day)
    expect(await messages()).toHaveLength(1)
  })

  it('continues with the next occurrence when it repeats, at the same time of its zone', async () => {
    const { plan, read, messages } = await makeReader()
    const year = server.services.clock.now().getUTCFullYear() + 1
    const start = `${year}-03-01T08:00:00.000Z`
    const id = await plan({ sendAt: start, repeat: 'monthly', timeZone: 'Europe/Berlin' })
    await after((Date.parse(start) - server.services.clock.now().getTime()) / 1000)
    const april = `${year}-04-01T07:00:00.000Z`
    expect(await read(id)).toMatchObject({ status: 'scheduled', sendAt: april, firstSendAt: start, sendCount: 1 })
    await after((Date.parse(april) - server.services.clock.now().getTime()) / 1000)
    expect(await read(id)).toMatchObject({ status: 'scheduled', sendAt: `${year}-05-01T07:00:00.000Z`, sendCount: 2 })
    expect(await messages()).toHaveLength(2)
  })

  it('is sent again when armed for a time that it was sent at before, but not for the last of them', async () => {
    const { plan, read, messages, client } = await makeReader()
    const id = await plan()
    await after(minute)
    const { sendAt } = await read(id)
    await expect(client.reminders.update({ id, sendAt })).rejects.toMatchObject({ code: 'FORBIDDEN_ACTION' })
    const aMomentLater = new Date(Date.parse(sendAt) + 1).toISOString()
    for (const again of [aMomentLater, sendAt]) {
      await client.reminders.update({ id, sendAt: again })
      await after(1)
    }
    expect(await read(id)).toMatchObject({ status: 'done', sendCount: 3 })
    expect(await messages()).toHaveLength(3)
  })

  it('goes through the number it names, and fails when that was removed', async () => {
    const { organization, plan, read, messages } = await makeReader()
    const second = await makeNumber(server, organization)
    const ids = [await plan({ containerId: second }), await plan({ containerId: second, repeat: 'daily' })]
    await after(minute)
    expect((await messages()).map(({ containerId }) => containerId)).toEqual([second, second])
    const [once = '', daily = ''] = ids
    const later = await plan({ containerId: second })
    const owner = server.client({ token: await makeToken(server, organization) })
    await owner.numbers.delete({ containerId: second })
    expect(await read(later)).toMatchObject({ status: 'scheduled' })
    await after(minute)
    expect(await read(later)).toMatchObject({ status: 'failed', lastError: 'NUMBER_REMOVED', sendCount: 0 })
    await after(day)
    expect(await read(daily)).toMatchObject({ status: 'failed', lastError: 'NUMBER_REMOVED', sendCount: 1 })
    expect(await read(once)).toMatchObject({ status: 'done', lastMessageStatus: 'failed', lastError: 'NUMBER_REMOVED' })
  })
})

describe('an outage', () => {
  it('of 3 hours misses what was due once, and lets repeats continue without a burst', async () => {
    const { plan, read, messages } = await makeReader()
    const once = await plan()
    const daily = await plan({ repeat: 'daily' })
    const next = new Date(Date.parse((await read(daily)).sendAt) + day * 1000).toISOString()
    await after(3 * hour)
    expect(await read(once)).toMatchObject({ status: 'failed', lastError: 'missed', sendCount: 0 })
    expect(await read(daily)).toMatchObject({ status: 'scheduled', lastError: 'missed', sendAt: next, sendCount: 0 })
    expect(await messages()).toEqual([])
    await after(day)
    expect((await read(daily)).lastError).toBe('missed')
    expect(await messages()).toEqual([])
  })

  it('of less than an hour sends late, once', async () => {
    const { plan, read, messages } = await makeReader()
    const once = await plan()
    const daily = await plan({ repeat: 'daily' })
    await after(minute + hour)
    expect(await read(once)).toMatchObject({ status: 'done', sendCount: 1 })
    expect(await read(daily)).toMatchObject({ status: 'scheduled', sendCount: 1, lastError: null })
    expect(await messages()).toHaveLength(2)
  })

  it('of three days and half an hour sends the last occurrence late, and none of the others', async () => {
    const { plan, read, messages } = await makeReader()
    const daily = await plan({ repeat: 'daily' })
    const first = Date.parse((await read(daily)).sendAt)
    await after(minute + 3 * day + hour / 2)
    expect(await messages()).toHaveLength(1)
    const next = new Date(first + 4 * day * 1000).toISOString()
    expect(await read(daily)).toMatchObject({ status: 'scheduled', sendAt: next, sendCount: 1, lastError: null })
  })
})

describe('a failure that may pass', () => {
  it('is tried again after 1 and 5 minutes and then every 15, while sendAt stays', async () => {
    const { plan, read, messages, becomes } = await makeReader()
    const id = await plan()
    const { sendAt } = await read(id)
    await becomes('FAILED')
    await after(minute)
    expect(await read(id)).toMatchObject({ status: 'scheduled', lastError: 'NO_SESSION_CONFIGURED', sendAt })
    await after(59)
    await becomes('WORKING')
    expect(await messages()).toEqual([])
    await after(1)
    expect(await read(id)).toMatchObject({ status: 'done', lastError: null, sendCount: 1, sendAt })
  })

  it('fails after an hour of it', async () => {
    const { plan, read, becomes } = await makeReader()
    const id = await plan()
    await becomes('FAILED')
    for (const minutes of [1, 1, 5, 15, 15, 15]) {
      await after(minutes * minute)
      expect(await read(id)).toMatchObject({ status: 'scheduled' })
    }
    await after(9 * minute + 30)
    expect(await read(id)).toMatchObject({ status: 'failed', lastError: 'NO_SESSION_CONFIGURED', sendCount: 0 })
  })
})

describe('a refusal', () => {
  it('over the trial fails, burns nothing and queues nothing', async () => {
    const { plan, read, messages, organizationId } = await makeReader({ granted: false })
    const sent = await plan()
    const over = await plan({
      sendAt: new Date(server.services.clock.now().getTime() + 2 * minute * 1000).toISOString(),
    })
    await transaction(server.db, (trx) => countTrial(trx, organizationId, 99, 100))
    await after(minute)
    await after(minute)
    expect(await read(sent)).toMatchObject({ status: 'done' })
    expect(await read(over)).toMatchObject({ status: 'failed', lastError: 'TRIAL_LIMIT_REACHED', sendCount: 0 })
    expect(await messages()).toHaveLength(1)
  })

  it('for want of the product fails', async () => {
    const { plan, organizationId } = await makeReader()
    const id = await plan()
    await rows(server.db, `update organization_products set paused_at = service_now() where organization_id = :id`, {
      id: organizationId,
    })
    await after(minute)
    expect(await rows(server.db, 'select status, last_error as error from reminders where id = :id', { id })).toEqual([
      { status: 'failed', error: 'PRODUCT_REQUIRED' },
    ])
  })

  it.each([
    ['is empty', '{{missing}} ', {}, 'MESSAGE_EMPTY'],
    ['is too long', `{{long}}${'x'.repeat(3097)}`, { long: 'y'.repeat(1000) }, 'MESSAGE_TOO_LONG'],
  ])('of a text that %s once filled in fails', async (_what, message, variables, lastError) => {
    const { plan, read, messages } = await makeReader()
    const id = await plan({ message, variables })
    await after(minute)
    expect(await read(id)).toMatchObject({ status: 'failed', lastError })
    expect(await messages()).toEqual([])
  })

  it('of five repeats in a row ends them', async () => {
    const { plan, read } = await makeReader()
    const id = await plan({ message: '{{missing}}', repeat: 'daily' })
    const statuses: string[] = []
    for (let occurrence = 0; occurrence < 5; occurrence += 1) {
      await after(occurrence === 0 ? minute : day)
      statuses.push((await read(id)).status)
    }
    expect(statuses).toEqual(['scheduled', 'scheduled', 'scheduled', 'scheduled', 'failed'])
  })
})

describe('several workers', () => {
  it('send one message for one due reminder, in two services at once', async () => {
    const { plan, messages, read } = await makeReader()
    const twin = await serveDatabase(server.db, server.databaseUrl, { worker: false })
    const ids: string[] = []
    for (let n = 0; n < 12; n += 1) ids.push(await plan())
    await server.advance(minute)
    const runs = [server, twin, server, twin].map(({ services }) => sendDueReminders(services))
    await Promise.all(runs).finally(() => twin.stop())
    const sent = await messages()
    expect(sent.map(({ reminderId }) => reminderId).sort()).toEqual(ids.sort())
    for (const id of ids) expect(await read(id)).toMatchObject({ status: 'done', sendCount: 1 })
  })

  it('take over from one that died after two minutes, and what comes back late does nothing', async () => {
    const { plan, read, messages } = await makeReader()
    const id = await plan()
    await server.advance(minute)
    const [held] = await claimDue(server.db, { token: crypto.randomUUID(), leaseMs: 120_000, limit: 1 })
    if (!held) throw new Error('the reminder was due')
    await after(119)
    expect(await read(id)).toMatchObject({ status: 'processing' })
    await after(1)
    expect(await read(id)).toMatchObject({ status: 'done', sendCount: 1 })
    await sendClaimed(server.services, held)
    await sendClaimed(server.services, { ...held, claimedAt: new Date(held.claimedAt.getTime() + 2 * hour * 1000) })
    expect(await read(id)).toMatchObject({ status: 'done', sendCount: 1 })
    expect(await messages()).toHaveLength(1)
  })

  it('send nothing for a reminder that is removed while one of them holds it', async () => {
    const { plan, messages, client } = await makeReader()
    const id = await plan()
    await server.advance(minute)
    const [held] = await claimDue(server.db, { token: crypto.randomUUID(), leaseMs: 120_000, limit: 1 })
    if (!held) throw new Error('the reminder was due')
    await client.reminders.delete({ id })
    await sendClaimed(server.services, held)
    expect(await messages()).toEqual([])
  })

  it('cannot note a second message for one occurrence, whatever they believe', async () => {
    const { plan, messages, read } = await makeReader()
    const id = await plan()
    await after(minute)
    const token = crypto.randomUUID()
    await rows(
      server.db,
      `update reminders set status = 'processing', lease_token = :token, due_at = service_now() where id = :id`,
      { token, id },
    )
    const [again] = await claimDue(server.db, { token, leaseMs: 120_000, limit: 1 })
    if (!again) throw new Error('the reminder was due')
    await expect(sendClaimed(server.services, again)).rejects.toThrow(/reminder_sends_pkey/)
    expect(await messages()).toHaveLength(1)
    expect(await read(id)).toMatchObject({ sendCount: 1 })
  })
})
