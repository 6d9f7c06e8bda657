import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { answered, makeAssistant, makeAssistantOf } from '#testing/features/assistant.ts'
import { type Mood, startModelServer } from '#testing/features/model-server.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { openAssistants } from './assistants.ts'
import { openHttpModel } from './http-model.ts'
import { queryModel } from './query-model.ts'

const model = await startModelServer()
const server = await startTestServer({
  env: { AI_URL: model.url, AI_KEY: 'secret', AI_MODEL: 'fake', AI_PRICE_IN: '1', AI_PRICE_OUT: '10' },
})
await server.services.clock.freeze()
/** What one call of the fake costs: 400 tokens in, 60 out. */
const costUsd = 0.001

const { customer, client, botId, events } = await makeAssistant(server)

const noPassages = { question: 'x', lang: 'en', passages: [], history: [], instructions: '', hasShop: false }
const unsure = 'something about opening maybe'
const unknown = 'I do not know that. Someone from our team will read your question.'

describe('a model', () => {
  it('is in the form that the official client of the API accepts', async () => {
    model.mood = 'right'
    const client = new OpenAI({ apiKey: 'secret', baseURL: model.url, maxRetries: 0 })
    const messages = [{ role: 'user', content: 'hello' } as const]
    const made = await client.chat.completions.create({ model: 'fake', messages })
    expect(made.choices[0]?.message.content).toContain('kind')
    expect(made.usage?.prompt_tokens).toBe(400)
  })

  it('answers what the ranking does not know, from the stored answers, and is paid from the allowance', async () => {
    model.mood = 'right'
    expect(await customer().says('when are you open')).toEqual(['Hello!\nWe are open from 9 to 5.'])
    const before = model.asked.length
    const [said] = await customer().says(unsure)
    expect(said).toMatch(/^Hello!\nIn short: /)
    expect(model.asked).toHaveLength(before + 1)
    expect(model.asked.at(-1)).toMatchObject({ model: 'fake', response_format: { type: 'json_schema' } })
    expect((await client.bots.usage()).usedUsd).toBe(costUsd)
  })

  const failing: [Mood, code: string | null][] = [
    ['busy', 'AI_BUSY'],
    ['broken', 'AI_UNAVAILABLE'],
    ['cut off', 'AI_UNAVAILABLE'],
    ['huge', 'AI_UNAVAILABLE'],
    ['no json', null],
    ['wrong ids', null],
    ['a link', null],
    ['a lower price', null],
    ['yes', null],
  ]
  it.each(failing)('that is %s never reaches a customer; ask reports %s', async (mood, code) => {
    model.mood = mood
    const before = (await events()).length
    const asked = client.bots.ask({ botId, question: 'Does my goldfish need a passport?' })
    asked.catch(() => undefined)
    expect(await customer().says('Does my goldfish need a passport?')).toEqual([unknown])
    expect((await events()).slice(before)).toMatchObject([{ event: 'bot.needs_review' }])
    if (code === null) expect(await asked).toMatchObject({ kind: 'unknown', by: 'built-in' })
    else await expect(asked).rejects.toMatchObject({ code })
  })

  it('that does not respond in time is given up, and counts as if it had answered', async () => {
    model.mood = 'slow'
    const prices = { priceIn: 1, priceOut: 10 }
    const slow = openHttpModel({ url: model.url, key: null, model: 'fake', kind: 'chat', ...prices }, 50)
    const before = model.asked.length
    const failure = await slow.understand(noPassages, new AbortController().signal).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'unavailable', message: 'it did not respond in time' })
    expect(failure).toMatchObject({ microUsd: slow.mostMicroUsd(noPassages) / 2 })
    expect(model.asked).toHaveLength(before + 1)
  })

  it('that thinks first gets neither a temperature nor max_tokens', async () => {
    model.mood = 'reasoning'
    const settings = { url: model.url, key: null, model: 'fake', priceIn: 1, priceOut: 10 }
    const ask = (kind: 'chat' | 'reasoning') =>
      openHttpModel({ ...settings, kind }).understand(noPassages, new AbortController().signal)
    await expect(ask('chat')).rejects.toMatchObject({ message: 'it responded with status 400' })
    expect(await ask('reasoning')).toMatchObject({ understood: { kind: 'unknown' } })
    expect(model.asked.at(-1)).toMatchObject({ max_completion_tokens: 4000 })
  })

  it('is queried again once after a refusal', async () => {
    model.mood = 'busy once'
    if (model.asked.length % 2 === 1) model.asked.pop()
    expect((await customer().says(unsure))[0]).toMatch(/In short/)
  })

  it('can ask for a person', async () => {
    model.mood = 'person'
    expect(await customer().says(unsure)).toEqual(['Someone from our team will answer you here.'])
  })

  it('never costs more than the allowance, with 200 questions at once', async () => {
    model.mood = 'right'
    const organization = await makeOrganization(server, { granted: false })
    const { client, botId, customer, events } = await makeAssistantOf(server, organization)
    const { organizationId } = organization
    const left = 0.05
    await rows(
      server.db,
      `insert into ai_usage (organization_id, period, used_micro_usd) values (:organizationId, 'trial', :used)`,
      { organizationId, used: 2_000_000 - left * 1_000_000 },
    )
    const assistants = openAssistants(server.services)
    const caller = { organizationId, trial: true }
    const before = model.asked.length
    const results = await Promise.all(
      Array.from({ length: 200 }, () => queryModel(server.services, assistants, caller, noPassages)),
    )
    expect(new Set(results.map(({ is }) => is))).toEqual(new Set(['understood', 'quota']))
    // What the model itself charges for, too.
    const charged = (model.asked.length - before) * costUsd
    expect(charged).toBeLessThanOrEqual(left)
    const { usedUsd, limitUsd, renewsAt } = await client.bots.usage()
    expect(usedUsd).toBeCloseTo(2 - left + charged, 6)
    expect({ limitUsd, renewsAt }).toEqual({ limitUsd: 2, renewsAt: null })
    expect(usedUsd).toBeLessThanOrEqual(2)
    await rows(server.db, `update ai_usage set used_micro_usd = 2000000 where organization_id = :organizationId`, {
      organizationId,
    })
    await expect(client.bots.ask({ botId, question: 'goldfish passports' })).rejects.toMatchObject({
      code: 'AI_QUOTA_EXCEEDED',
      details: { limitUsd: 2, usedUsd: 2, renewsAt: null },
    })
    expect(await customer().says('goldfish passports')).toEqual([unknown])
    expect(await events()).toMatchObject([{ event: 'bot.needs_review', data: { reason: 'ai_quota', lang: 'en' } }])
  })

  it('that is slow delays no other conversation, and a crash in between repeats the question', async () => {
    model.mood = 'slow'
    const jane = customer()
    await jane.writes('goldfish passports')
    await server.advance(3)
    await expect.poll(() => model.asked.at(-1)?.messages.at(-1)?.content).toBe('goldfish passports')
    const jose = customer()
    expect(await jose.says('when are you open')).toEqual(['Hello!\nWe are open from 9 to 5.'])
    // The lease ends as if the process had died: the question is asked again, and answered once.
    model.mood = 'right'
    await server.advance(46)
    await answered(server)
    expect((await jane.says()).length).toBe(1)
    model.hangUp()
  })
})
