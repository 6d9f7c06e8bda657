import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { answered, makeAssistant, makeAssistantOf } from '#testing/features/assistant.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const lines: string[] = []
const server = await startTestServer({ env: { LOG_LEVEL: 'error' }, onLog: (line) => lines.push(line) })
const { services } = server
await services.clock.freeze()

const unknown = 'I do not know that. Someone from our team will read your question.'
const handoff = 'Someone from our team will answer you here.'
const away = 'We are closed at the moment. We will answer as soon as we are back.'
const open = 'Hello!\nWe are open from 9 to 5.'
/** Business hours that are over at every time. */
const closed = { timeZone: 'UTC', week: [] }

describe('an assistant', () => {
  it('gives the answer that it knows, with the greeting once, as a bot_reply with one event', async () => {
    const receiver = await startReceiver()
    const { customer, client, containerId, botId, events } = await makeAssistant(server)
    await client.webhook.set({ webhookUrl: receiver.url })
    const jane = customer()
    expect(await jane.says('when are you open')).toEqual([open])
    expect(await jane.says('and do you deliver?')).toEqual(['Yes, we deliver in the city.'])
    expect(await events()).toEqual([])
    const { messages } = await client.messages.list({ search: jane.phone })
    expect(messages).toMatchObject([{ type: 'alert', containerId }, { type: 'alert' }])
    await server.advance(60)
    await expect
      .poll(() =>
        receiver.received.map(({ body }) => JSON.parse(body)).filter(({ event }) => event === 'message.delivered'),
      )
      .toHaveLength(2)
    const delivered = receiver.received
      .map(({ body }) => JSON.parse(body))
      .find((one) => one.event === 'message.delivered')
    expect(delivered.data).toMatchObject({ type: 'bot_reply', botId, conversationId: expect.any(String) })
    const { conversations } = await client.bots.conversations({ botId })
    const { turns } = await client.bots.conversation({ botId, conversationId: conversations[0]?.id ?? '' })
    expect(turns.map(({ kind, question }) => [kind, question])).toEqual([
      ['answer', 'when are you open'],
      ['answer', 'and do you deliver?'],
    ])
  })

  it('joins quick lines into one question, which waits 3 s after the last and 15 s at most', async () => {
    const { customer } = await makeAssistant(server)
    const jane = customer()
    expect(await jane.says('how', 'can I', 'pay')).toEqual(['Hello!\nYou pay in cash.'])
    const jose = customer()
    for (let n = 0; n < 7; n++) {
      await jose.writes('how can I pay')
      await server.advance(2)
    }
    await jose.writes('with cash?')
    expect((await jose.says()).length).toBe(1)
  })

  it('says that it does not know, and leaves the question to a person', async () => {
    const { customer, events, botId, client } = await makeAssistant(server)
    const jane = customer()
    expect(await jane.says('Does my goldfish need a passport?')).toEqual([unknown])
    expect(await events()).toEqual([
      {
        event: 'bot.needs_review',
        data: {
          botId,
          conversationId: expect.any(String),
          contactPhone: jane.phone,
          question: 'Does my goldfish need a passport?',
          lang: 'en',
          timestamp: expect.any(String),
        },
      },
    ])
    const { reviews } = await client.bots.reviews({ botId, status: 'open' })
    const [review] = reviews
    expect(review).toMatchObject({ question: 'Does my goldfish need a passport?', reason: null })
    const answer = 'No, goldfish travel free.'
    await client.bots.resolveReview({ botId, reviewId: review?.id ?? '', answer })
    expect(await jane.says()).toEqual([answer])
    expect(await customer().says('does my goldfish need a passport')).toEqual([`Hello!\n${answer}`])
    await expect(client.bots.resolveReview({ botId, reviewId: review?.id ?? '', dismiss: true })).rejects.toMatchObject(
      {
        code: 'FORBIDDEN_ACTION',
      },
    )
  })

  it('offers choices when it is not sure; a number answers, another text is a new question', async () => {
    const { customer, client, botId, events } = await makeAssistant(server)
    const rows = [
      { questions: ['How long does delivery to the islands take?'], answer: 'Five days.' },
      { questions: ['How much does delivery to the islands cost?'], answer: 'Ten euros.' },
    ]
    await client.bots.importAnswers({ botId, rows })
    const jane = customer()
    const [said = ''] = await jane.says('delivery to the islands')
    expect(said).toMatch(/^Did you mean one of these\? Please send its number\.\n1\. How .*\n2\. How /)
    const second = said.split('\n')[2]?.slice(3)
    expect(await jane.says('2')).toEqual([rows.find(({ questions }) => questions[0] === second)?.answer])
    await jane.says('delivery to the islands')
    expect(await jane.says('When are you open?')).toEqual([open])
    expect(await events()).toEqual([])
  })

  it('hands over when asked for a person, and is silent until it is given back', async () => {
    const { customer, events, client, botId } = await makeAssistant(server)
    const jane = customer()
    expect(await jane.says('I want to speak to someone please')).toEqual([handoff])
    expect(await events()).toMatchObject([{ event: 'bot.handoff', data: { lang: 'en' } }])
    expect((await events())[0]?.data).not.toHaveProperty('reason')
    expect(await jane.says('when are you open')).toEqual([])
    const { conversations } = await client.bots.conversations({ botId, state: 'person' })
    const conversationId = conversations[0]?.id ?? ''
    await client.bots.giveBack({ botId, conversationId })
    expect(await jane.says('when are you open')).toEqual([open])
  })

  it('hands over at the third failure in a row, and begins again after 24 hours of quiet', async () => {
    const { customer, events } = await makeAssistant(server)
    const jane = customer()
    expect(await jane.says('xylophone tuning')).toEqual([unknown])
    expect(await jane.says('violin tuning')).toEqual([unknown])
    expect(await jane.says('trombone tuning')).toEqual([handoff])
    expect((await events()).map(({ event }) => event)).toEqual(['bot.needs_review', 'bot.needs_review', 'bot.handoff'])
    await server.advance(24 * 3600 + 60)
    expect(await jane.says('when are you open')).toEqual([open])
  })

  it('says outside business hours that a person will come later, without a language in the event', async () => {
    const { customer, events } = await makeAssistant(server, { hours: closed })
    const jane = customer()
    expect(await jane.says('when are you open')).toEqual([open])
    expect(await jane.says('human')).toEqual([away])
    expect(await events()).toMatchObject([{ event: 'bot.handoff', data: { reason: 'away' } }])
    expect((await events())[0]?.data).not.toHaveProperty('lang')
  })

  it('with outsideHours away only says so, once in 12 hours, and leaves each question to a person', async () => {
    const { customer, events } = await makeAssistant(server, { hours: closed, outsideHours: 'away' })
    const jane = customer()
    expect(await jane.says('when are you open')).toEqual([away])
    expect(await jane.says('how can I pay')).toEqual([])
    expect(await events()).toMatchObject([
      { event: 'bot.needs_review', data: { reason: 'away', question: 'when are you open' } },
      { event: 'bot.needs_review', data: { reason: 'away', question: 'how can I pay' } },
    ])
    expect((await events())[0]?.data).not.toHaveProperty('lang')
    await server.advance(12 * 3600)
    expect(await jane.says('hello?')).toEqual([away])
  })

  it('says nothing and leaves the question to a person when the messages of a trial are used up', async () => {
    const organization = await makeOrganization(server, { granted: false })
    const { customer, events } = await makeAssistantOf(server, organization)
    await rows(
      server.db,
      `insert into trial_usage values (:id, ((select service_now()) at time zone 'UTC')::date, 100)
       on conflict (organization_id, day) do update set used = 100`,
      { id: organization.organizationId },
    )
    expect(await customer().says('when are you open')).toEqual([])
    expect(await events()).toMatchObject([
      { event: 'bot.needs_review', data: { question: 'when are you open', lang: 'en' } },
    ])
  })

  it('says nothing and leaves the question to a person when no number is connected', async () => {
    const { customer, events, containerId, client, botId } = await makeAssistant(server)
    const jane = customer()
    await jane.writes('when are you open')
    await client.numbers.stop({ containerId })
    await server.advance(3)
    await answered(server)
    expect((await events()).filter(({ event }) => event === 'bot.needs_review')).toHaveLength(1)
    const { reviews } = await client.bots.reviews({ botId })
    expect(reviews).toMatchObject([{ reason: 'no_sender' }])
  })

  it('does not answer what is older than an hour when its turn comes', async () => {
    const { customer, botId, client } = await makeAssistant(server)
    const jane = customer()
    await jane.writes('when are you open')
    await rows(server.db, `update bot_inbox set written_at = written_at - interval '61 minutes'`)
    expect(await jane.says()).toEqual([])
    expect((await client.bots.reviews({ botId })).reviews).toMatchObject([{ reason: 'late' }])
  })

  it('is silent for stop words, groups, order phones, own numbers, and while a person types on the phone', async () => {
    const { customer, botId, client, events } = await makeAssistant(server)
    const jane = customer()
    expect(await jane.says('STOP')).toEqual([])
    await jane.writes('when are you open', { groupId: '120363000000000009@g.us' })
    expect(await jane.says()).toEqual([])
    const cook = customer()
    await client.bots.addOrderPhone({ botId, phone: `+${cook.phone}` })
    expect(await cook.says('when are you open')).toEqual([])
    const jose = customer()
    await jose.writes('I will answer myself', { fromMe: true })
    expect(await jose.says('when are you open')).toEqual([])
    await server.advance(3600)
    expect(await jose.says('when are you open')).toEqual([open])
    expect(await events()).toEqual([])
    expect((await client.bots.conversations({ botId, state: 'person' })).conversations).toEqual([])
  })

  it('answers 6 times a minute and then hands over', async () => {
    const { customer, events } = await makeAssistant(server)
    const jane = customer()
    const said: string[] = []
    for (let n = 0; n < 8; n++) said.push(...(await jane.says('how can I pay')))
    expect(said).toHaveLength(7)
    expect(said.at(-1)).toBe(handoff)
    expect((await events()).map(({ event }) => event)).toEqual(['bot.handoff'])
  })

  it('leaves the question to a person after three internal errors', async () => {
    const { customer, client, botId, events } = await makeAssistant(server)
    const jane = customer()
    await rows(
      server.db,
      `create function refuse_turn() returns trigger language plpgsql as
       $$ begin if new.kind <> 'failed' then raise exception 'broken'; end if; return new; end $$`,
    )
    await rows(
      server.db,
      `create trigger refuse_turn before insert on bot_turns for each row execute function refuse_turn()`,
    )
    await jane.writes('when are you open')
    for (let n = 0; n < 4; n++) {
      await server.advance(40)
      await answered(server)
    }
    await rows(server.db, 'drop trigger refuse_turn on bot_turns')
    expect((await client.bots.reviews({ botId })).reviews).toMatchObject([{ reason: 'failed' }])
    expect(await jane.says('when are you open')).toEqual([])
    const [conversation] = (await client.bots.conversations({ botId })).conversations
    expect(conversation).toMatchObject({ state: 'person', personUntil: null })
    const asked = { question: 'when are you open', lang: 'en' }
    expect(await events()).toMatchObject([
      { event: 'bot.needs_review', data: asked },
      { event: 'bot.handoff', data: asked },
    ])
    expect(lines.filter((line) => line.includes('bot_turn_set_aside')).map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', conversationId: conversation?.id, botId, attempts: 3 },
    ])
    await client.bots.giveBack({ botId, conversationId: conversation?.id ?? '' })
    expect(await jane.says('when are you open')).toEqual(['Hello!\nWe are open from 9 to 5.'])
  })

  it('costs an inbound message no statement where no assistant is active', async () => {
    const { containerId, botId, client, customer } = await makeAssistant(server)
    await client.bots.pause({ botId })
    const seen: string[] = []
    const listen = ({ sql }: { sql: string }) => seen.push(sql)
    services.db.on('query', listen)
    await customer().writes('when are you open')
    services.db.off('query', listen)
    const writes = seen.filter((sql) => /bot_(inbox|conversations|voice_notes)/.test(sql))
    expect(writes.filter((sql) => /insert|update|delete/.test(sql))).toEqual([])
    await sim(server, 'POST inbound', { containerId, from: '+13125559999', text: 'x' })
  })
})

describe('two assistants that write to each other', () => {
  it('are over within 20 messages, and both handed over', async () => {
    const first = await makeAssistant(server)
    const second = await makeAssistant(server)
    const a = first.customer()
    const b = second.customer()
    let messages = 0
    let fromFirst: string[] = []
    let fromSecond = await b.says('when are you open')
    for (let round = 0; round < 30 && (fromFirst.length > 0 || fromSecond.length > 0); round++) {
      fromFirst = fromSecond.length > 0 ? await a.says(...fromSecond) : []
      messages += fromSecond.length
      fromSecond = fromFirst.length > 0 ? await b.says(...fromFirst) : []
      messages += fromFirst.length
    }
    expect(messages).toBeLessThanOrEqual(20)
    for (const one of [first, second]) {
      expect((await one.events()).filter(({ event }) => event === 'bot.handoff')).toHaveLength(1)
    }
  })
})
