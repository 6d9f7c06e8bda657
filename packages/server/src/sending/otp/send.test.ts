import { limits } from '@msgctl/contract'
import { openSecrets } from '@msgctl/network/secrets'
import { afterEach, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { codeTo, makeSender, newPhone, startTwoServers, textsTo, wrongFor } from '#testing/features/otp.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim, transcriptOf } from '#testing/sim.ts'
import { currentPepper, pepperNamed } from './pepper.ts'

const lines: string[] = []
const [server, second] = await startTwoServers({ onLog: (line) => lines.push(line), env: { LOG_LEVEL: 'trace' } })
const sender = await makeSender(server)
const client = server.client(sender)

describe('a code', () => {
  it('reaches the phone at once, in the words of the default template', async () => {
    const phone = newPhone()
    const before = server.services.clock.now().getTime()
    const answer = await client.otp.send({ phone: `+${phone}` })
    expect(answer).toEqual({
      success: true,
      requestId: expect.any(String),
      phone,
      expiresAt: expect.any(String),
      expiresInSeconds: 300,
    })
    const validMs = Date.parse(answer.expiresAt) - before
    expect(validMs).toBeGreaterThan(290_000)
    expect(validMs).toBeLessThan(330_000)
    expect(await textsTo(server, sender.containerId, phone)).toEqual([
      expect.stringMatching(/^Your code is \d{6}\. It expires in 5 minutes\.$/),
    ])
  })

  it('fills the caller’s template', async () => {
    const phone = newPhone()
    await client.otp.send({ phone, length: 8, template: '{{code}}, again {{code}}: {{expiry}} min' })
    const [text] = await textsTo(server, sender.containerId, phone)
    expect(text).toMatch(/^(\d{8}), again \1: 5 min$/)
  })

  it('is refused with a template without a code, or with an invalid length', async () => {
    const phone = newPhone()
    for (const template of ['', 'hello', '{{ code }}']) {
      await expect(client.otp.send({ phone, template })).rejects.toMatchObject({
        code: 'OTP_TEMPLATE_MISSING_CODE',
        status: 400,
      })
    }
    const tooLong = `{{code}}${'x'.repeat(limits.otpTemplate - 7)}`
    for (const more of [{ length: 3 }, { length: 9 }, { length: 4.5 }, { template: tooLong }]) {
      await expect(client.otp.send({ phone, ...more })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    await expect(client.otp.send({ phone: '77383888833333@lid' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(await textsTo(server, sender.containerId, phone)).toEqual([])
  })

  it('is not sent without a number that works', async () => {
    const idle = await makeOrganization(server)
    const containerId = await makeNumber(server, idle, { linked: false })
    for (const wanted of [{}, { containerId }]) {
      await expect(server.client(idle).otp.send({ phone: newPhone(), ...wanted })).rejects.toMatchObject({
        code: 'NO_SESSION_CONFIGURED',
      })
    }
  })
})

describe('with an Idempotency-Key', () => {
  afterEach(() => sim(server, 'DELETE faults'))

  it('a repeat gets the first response and sends nothing, also at the same moment', async () => {
    const input = { phone: newPhone() }
    const options = { idempotencyKey: crypto.randomUUID() }
    const clients = [client, second.client(sender)]
    const racing = await Promise.allSettled(clients.map((each) => each.otp.send(input, options)))
    for (const outcome of racing) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' })
    }
    const first = racing.find((outcome) => outcome.status === 'fulfilled')?.value
    expect(await client.otp.send(input, options)).toEqual(first)
    expect(await textsTo(server, sender.containerId, input.phone)).toHaveLength(1)
    const code = await codeTo(server, sender.containerId, input.phone)
    await client.otp.verify({ requestId: first?.requestId ?? '', code })
  })

  it('a repeat of a refused send gets the refusal again', async () => {
    const input = { phone: newPhone() }
    const options = { idempotencyKey: crypto.randomUUID() }
    await sim(server, 'PUT faults', { send: { rejected: 1 } })
    const refused = { code: 'GATEWAY_ERROR', details: { outcome: 'not_sent' } }
    await expect(client.otp.send(input, options)).rejects.toMatchObject(refused)
    await sim(server, 'DELETE faults')
    await expect(client.otp.send(input, options)).rejects.toMatchObject(refused)
    expect(await textsTo(server, sender.containerId, input.phone)).toEqual([])
  })
})

describe('what others see of a code', () => {
  it('is a message of type otp with nothing of its text, in lists, events, tables and the log', async () => {
    // Of everybody else some never read.
    const phone = '13035550100'
    const template = 'Canary wording: {{code}}'
    const { requestId } = await client.otp.send({ phone, template, length: 8, clientReference: 'login 9' })
    const code = await codeTo(server, sender.containerId, phone)
    await client.otp.verify({ requestId, code: wrongFor(code) }).catch(() => {})
    await client.otp.verify({ requestId, code })

    const shown = await eventually(
      () => client.messages.get({ id: requestId }),
      ({ message }) => message.status === 'read',
    )
    expect(shown.message).toMatchObject({ type: 'otp', content: '[OTP MESSAGE]', clientReference: 'login 9' })
    expect(shown.timeline.map(({ step }) => step)).toEqual(expect.arrayContaining(['sending', 'sent', 'read']))
    const listed = await client.messages.list({ type: 'otp', search: phone })
    expect(listed.messages).toMatchObject([{ id: requestId, content: '[OTP MESSAGE]' }])
    const { events } = await client.events.list({ limit: 500 })
    const own = events.flatMap(({ data }) => ('messageId' in data && data.messageId === requestId ? [data] : []))
    expect(own).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'otp', recipient: phone })]))

    const tables = await rows<{ name: string }>(
      server.db,
      `select table_name as name from information_schema.tables where table_schema = 'public'
        and table_name not like 'sim\\_%'`,
    )
    const dump = await rows<{ row: string }>(
      server.db,
      tables.map(({ name }) => `select t::text as row from ${name} t`).join(' union all '),
    )
    const seen = JSON.stringify([shown, listed, events, dump]) + lines.join('')
    expect(seen).toContain(requestId)
    expect(lines.filter((line) => line.includes('/otp/')).length).toBeGreaterThan(2)
    // Times and ids hold the same digits now and then, within longer runs of them.
    for (const hidden of [code, wrongFor(code)]) expect(seen).not.toMatch(new RegExp(`(?<!\\d)${hidden}(?!\\d)`))
    expect(seen).not.toContain('Canary wording')
  })
})

describe('the pepper', () => {
  const keys = [1, 2].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`)
  const { db } = server

  it('of codes that were sent before the keys were rotated is found by its name', async () => {
    const before = await currentPepper({ db, secrets: openSecrets(keys[0]) })
    const rotated = { db, secrets: openSecrets(`${keys[1]},${keys[0]}`) }
    const after = await currentPepper(rotated)
    expect(after.key.equals(before.key)).toBe(false)
    expect(await pepperNamed(rotated, before.name)).toEqual(before.key)
    expect(await pepperNamed({ db, secrets: openSecrets(keys[1]) }, before.name)).toBeNull()
  })

  it('is made once when there are no keys, however many start at the same time', async () => {
    const without = { db, secrets: openSecrets(undefined) }
    const made = await Promise.all(Array.from({ length: 8 }, () => currentPepper(without)))
    expect(new Set(made.map(({ key }) => key.toString('hex'))).size).toBe(1)
    expect(made[0]?.key).toHaveLength(32)
    expect(await pepperNamed(without, made[0]?.name ?? '')).toEqual(made[0]?.key)
  })
})

describe('when the database fails', () => {
  it('no code leaves, and none is verified', async () => {
    const known = newPhone()
    const { requestId } = await client.otp.send({ phone: known })
    const code = await codeTo(server, sender.containerId, known)
    const before = (await transcriptOf(server, sender.containerId)).length
    await server.db.raw(`
      create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'too many connections' using errcode = '53300'; end $$;
      create trigger refuse before insert or update on otp_requests execute function refuse()`)
    const busy = { code: 'SERVICE_BUSY', status: 503 }
    await expect(client.otp.send({ phone: newPhone() })).rejects.toMatchObject(busy)
    await expect(client.otp.verify({ requestId, code })).rejects.toMatchObject(busy)
    await server.db.raw('drop trigger refuse on otp_requests')
    expect(await transcriptOf(server, sender.containerId)).toHaveLength(before)
    expect(await client.otp.verify({ requestId, code })).toMatchObject({ verified: true })
  })
})
