import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const organization = await makeOrganization(server)
const client = server.client(organization)
const containerId = await makeNumber(server, organization)

/** Makes a change of each assistant at once: all wait for the rows of their numbers before one can be over. */
async function togetherAt<T>(botIds: readonly string[], change: (botId: string) => Promise<T>) {
  const lock = await server.db.transaction()
  await lock.raw('select from bot_numbers where bot_id = any(?) for update', [[...botIds]])
  const changing = Promise.allSettled(botIds.map(change))
  const waiting = () =>
    rows(
      server.db,
      `select 1 as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  await eventually(waiting, (found) => found.length === botIds.length)
  await lock.commit()
  return changing
}

describe('an assistant', () => {
  it('is created as a draft, changed, activated, paused and deleted; each change is in the activity log', async () => {
    const { bot } = await client.bots.create({ name: 'Desk' })
    const botId = bot.id
    expect(bot).toMatchObject({ status: 'draft', languages: ['en'], containerIds: [], hours: null, notice: null })
    await expect(client.bots.activate({ botId })).rejects.toMatchObject({ details: { reason: 'no_number' } })
    const { bot: changed } = await client.bots.update({ botId, name: 'Front desk', containerIds: [containerId] })
    expect(changed).toMatchObject({ name: 'Front desk', containerIds: [containerId] })
    expect((await client.bots.activate({ botId })).bot.status).toBe('active')
    await expect(client.bots.delete({ botId })).rejects.toMatchObject({ details: { reason: 'active' } })
    await expect(client.numbers.delete({ containerId })).rejects.toMatchObject({ code: 'USER_REQUIRED' })
    const owner = server.client({ token: await makeToken(server, organization) })
    const inUse = { code: 'IN_USE', details: { usedBy: 'assistant' } }
    await expect(owner.numbers.delete({ containerId })).rejects.toMatchObject(inUse)
    await client.bots.pause({ botId })
    await client.bots.delete({ botId })
    await expect(client.bots.get({ botId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { entries } = await owner.activity.list({ action: 'bot' })
    const actions = ['bot.deleted', 'bot.paused', 'bot.activated', 'bot.changed', 'bot.created']
    expect(entries.map(({ action }) => action)).toEqual(actions)
  })

  it('shares no number with another active one', async () => {
    const first = await client.bots.create({ name: 'First', containerIds: [containerId] })
    const second = await client.bots.create({ name: 'Second', containerIds: [containerId] })
    await client.bots.activate({ botId: first.bot.id })
    await expect(client.bots.activate({ botId: second.bot.id })).rejects.toMatchObject({
      code: 'NUMBER_ON_OTHER_ASSISTANT',
      details: { containerId, botId: first.bot.id },
    })
    await client.bots.pause({ botId: first.bot.id })
    await client.bots.activate({ botId: second.bot.id })
    await client.bots.pause({ botId: second.bot.id })
  })

  it('says what is missing once its number was removed while it was paused', async () => {
    const removed = await makeNumber(server, organization)
    const { bot } = await client.bots.create({ name: 'Paused', containerIds: [removed] })
    const botId = bot.id
    await client.bots.activate({ botId })
    expect((await client.bots.pause({ botId })).bot.notice).toBeNull()
    await server.client({ token: await makeToken(server, organization) }).numbers.delete({ containerId: removed })
    expect((await client.bots.get({ botId })).bot).toMatchObject({
      status: 'paused',
      containerIds: [],
      notice: 'no_number',
    })
    await client.bots.delete({ botId })
  })

  it('is refused its number by name when others take it at the same moment', async () => {
    const names = ['A', 'B', 'C']
    const bots = await Promise.all(names.map((name) => client.bots.create({ name, containerIds: [containerId] })))
    const botIds = bots.map(({ bot }) => bot.id)
    const lost = { status: 'rejected', reason: { code: 'NUMBER_ON_OTHER_ASSISTANT', details: { containerId } } }
    const activated = await togetherAt(botIds, (botId) => client.bots.activate({ botId }))
    expect(activated.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of activated) if (one.status === 'rejected') expect(one).toMatchObject(lost)

    const [winner = ''] = botIds.filter((_id, n) => activated[n]?.status === 'fulfilled')
    const others = botIds.filter((id) => id !== winner)
    await client.bots.pause({ botId: winner })
    for (const botId of others) {
      await client.bots.update({ botId, containerIds: [await makeNumber(server, organization)] })
      await client.bots.activate({ botId })
    }
    const changed = await togetherAt(others, (botId) => client.bots.update({ botId, containerIds: [containerId] }))
    expect(changed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const one of changed) if (one.status === 'rejected') expect(one).toMatchObject(lost)
    for (const botId of others) await client.bots.pause({ botId })
  })

  it('needs texts of its own in other languages, numbers of its own organization, and at most 20', async () => {
    await expect(client.bots.create({ name: 'Banco', languages: ['it'] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    const it = { unknown: 'Non lo so.', handoff: 'Un momento.', away: 'Siamo chiusi.', choose: 'Quale?' }
    await client.bots.create({ name: 'Banco', languages: ['it'], texts: { it } })
    const stranger = await makeOrganization(server)
    const theirs = await makeNumber(server, stranger)
    await expect(client.bots.create({ name: 'X', containerIds: [theirs] })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const full = await makeOrganization(server)
    for (let n = 0; n < 20; n++) await server.client(full).bots.create({ name: `Desk ${n}` })
    await expect(server.client(full).bots.create({ name: 'One more' })).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'quota_reached', limit: 20 },
    })
  })

  it('is read by members, and of a shop only with Shop', async () => {
    const member = server.client({ token: await makeToken(server, organization, 'member') })
    expect((await member.bots.list()).bots.length).toBeGreaterThan(0)
    await expect(member.bots.create({ name: 'X' })).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
    const assistant = await makeOrganization(server, { products: ['assistant'] })
    const only = server.client(assistant)
    expect((await only.account.me()).features).toContain('bots')
    const { bot } = await only.bots.create({ name: 'Desk' })
    const locked = { code: 'PRODUCT_REQUIRED', details: { products: ['shop'] } }
    await expect(only.bots.products({ botId: bot.id })).rejects.toMatchObject(locked)
    const shop = { enabled: true, currency: 'EUR' }
    await expect(only.bots.update({ botId: bot.id, shop })).rejects.toMatchObject(locked)
    const notify = server.client(await makeOrganization(server, { products: ['notify'] }))
    await expect(notify.bots.list()).rejects.toMatchObject({ details: { products: ['assistant', 'shop'] } })
  })
})

describe('answers', () => {
  it('are added, changed, imported and removed; a question stands once in a language', async () => {
    const { bot } = await client.bots.create({ name: 'Knowing', languages: ['en', 'de'] })
    const botId = bot.id
    const { answer } = await client.bots.addAnswer({ botId, questions: ['Open?', 'When?'], answer: 'At 9.' })
    expect(answer).toMatchObject({ lang: 'en', enabled: true, questions: ['Open?', 'When?'] })
    const taken = { code: 'CONFLICT', details: { reason: 'already_exists' } }
    await expect(client.bots.addAnswer({ botId, questions: ['open'], answer: 'x' })).rejects.toMatchObject(taken)
    await client.bots.addAnswer({ botId, questions: ['open'], answer: 'Um 9.', lang: 'de' })
    const rows = [
      { questions: ['Pay?'], answer: 'Cash.' },
      { questions: ['pay'], answer: 'Card.' },
    ]
    await expect(client.bots.importAnswers({ botId, rows })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { 'rows.1.questions': expect.any(Array) },
    })
    const changed = await client.bots.changeAnswer({ botId, answerId: answer.id, questions: ['Opening?'] })
    expect(changed.answer).toMatchObject({ questions: ['Opening?'], answer: 'At 9.' })
    expect(await client.bots.ask({ botId, question: 'opening' })).toMatchObject({ kind: 'answer', text: 'At 9.' })
    await client.bots.changeAnswer({ botId, answerId: answer.id, enabled: false })
    expect((await client.bots.ask({ botId, question: 'opening', lang: 'en' })).text).not.toBe('At 9.')
    await client.bots.removeAnswer({ botId, answerId: answer.id })
    expect((await client.bots.answers({ botId })).total).toBe(1)
  })

  it('come after a question for a person, which is handed over as in a chat', async () => {
    const { bot } = await client.bots.create({ name: 'Polite', personWords: ['manager'] })
    const botId = bot.id
    await client.bots.addAnswer({ botId, questions: ['Who is the manager?'], answer: 'Olga.' })
    for (const question of ['manager', 'human', 'I want to talk to someone', 'Who is the manager?']) {
      const { kind, text, by } = await client.bots.ask({ botId, question })
      expect([question, kind, text, by]).toEqual([
        question,
        'person',
        'Someone from our team will answer you here.',
        'built-in',
      ])
    }
    expect((await client.bots.ask({ botId, question: 'Where is your shop?' })).kind).toBe('unknown')
  })

  it('are at most 500', async () => {
    const { bot } = await client.bots.create({ name: 'Full' })
    const rows = Array.from({ length: 500 }, (_, n) => ({ questions: [`Question ${n}?`], answer: `Answer ${n}` }))
    await client.bots.importAnswers({ botId: bot.id, rows })
    await expect(client.bots.addAnswer({ botId: bot.id, questions: ['More?'], answer: 'No.' })).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { limit: 500, used: 500 },
    })
    expect((await client.bots.ask({ botId: bot.id, question: 'question 77' })).sources[0]?.question).toBe(
      'Question 77?',
    )
  })
})
