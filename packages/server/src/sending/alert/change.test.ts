import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { startFileServer } from '#testing/file-server.ts'
import { makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import { samples } from '#testing/sample-files.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { isTakenBack } from '#testing/tested/phone.ts'

const server = await startTestServer()
const files = await startFileServer()
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const second = await makeNumber(server, organization)
const secondKey = await makeNumberKey(server, organization, second)
const client = server.client(organization)
const secondClient = server.client({ apiKey: secondKey })
const phone = '12025550121'
const unknownId = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'
const photo = files.serve('/photo.png', samples.png)

async function sentText(message = 'hello'): Promise<string> {
  const { messageId } = await client.alert.send({ phone, message, containerId })
  await eventually(
    () => client.messages.get({ id: messageId }),
    (answer) => answer.message.status === 'delivered',
  )
  return messageId
}

/** Sends a message that is on the phone; returns its id. */
const sent = {
  text: () => sentText(),
  link: async () => (await client.alert.sendLink({ phone, url: 'https://acme.example/', containerId })).messageId,
  image: async () => (await client.alert.sendImage({ phone, imageUrl: photo, containerId })).messageId,
  location: async () => (await client.alert.sendLocation({ phone, latitude: 1, longitude: 2, containerId })).messageId,
  poll: async () =>
    (await client.alert.sendPoll({ phone, question: 'Tea?', options: ['yes', 'no'], containerId })).messageId,
}

async function contentOf(messageId: string) {
  const { message } = await client.messages.get({ id: messageId })
  const all = await transcriptOf(server, message.containerId ?? '')
  return all.find(({ networkId }) => networkId === message.gatewayMessageId)?.content
}

async function steps(messageId: string): Promise<string[]> {
  return (await client.messages.get({ id: messageId })).timeline.map((entry) => entry.step)
}

/** A one-time code as it stands after it was sent. */
async function oneTimeCode(): Promise<string> {
  const id = await sent.location()
  await rows(server.db, `update messages set type = 'otp', content = '[OTP MESSAGE]' where id = :id`, { id })
  return id
}

const changes = {
  edit: (messageId: string, by = client) => by.alert.edit({ messageId, message: 'changed' }),
  delete: (messageId: string, by = client) => by.alert.delete({ messageId }),
  forward: (messageId: string, by = client) => by.alert.forward({ messageId, phone: '12025550100' }),
}
const all = Object.entries(changes)

describe.each(all)('%s', (name, change) => {
  it('does not find a message that is not there, or another organization’s, in the same words', async () => {
    const other = await makeOrganization(server)
    await makeNumber(server, other)
    const theirs = server.client(other)
    const mine = await sent.location()
    const refusals = await Promise.all([unknownId, mine].map((id) => change(id, theirs).catch((error) => error)))
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'MESSAGE_NOT_FOUND', status: 404 })
    expect(refusals[0].message).toBe(refusals[1].message)
  })

  it('refuses a number’s key on another number of the organization', async () => {
    await expect(change(await sent.location(), secondClient)).rejects.toMatchObject({
      code: 'MESSAGE_WRONG_NUMBER',
      status: 403,
    })
  })

  it('refuses a one-time code', async () => {
    await expect(change(await oneTimeCode())).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'one_time_code' },
    })
  })

  it('refuses a message that failed', async () => {
    const error = await client.alert.sendLocation({ phone: '12025550111', latitude: 1, longitude: 2 }).catch((e) => e)
    await expect(change(error.details.messageId)).rejects.toMatchObject({
      code: 'MESSAGE_NOT_SENT',
      status: 409,
      details: { status: 'failed' },
    })
  })

  it('needs the number that sent it to be connected', async () => {
    const own = await makeNumber(server, organization)
    const { messageId } = await client.alert.sendLink({ phone, url: 'https://acme.example/', containerId: own })
    // The supervisor, which would repair the number, does not check it.
    const later = `next_check_at = service_now() + interval '1 day'`
    await rows(server.db, `update numbers set status = 'FAILED', ${later} where id = :own`, { own })
    await expect(change(messageId)).rejects.toMatchObject({ code: 'NO_SESSION_CONFIGURED', status: 400 })
    await rows(server.db, `update numbers set status = 'WORKING' where id = :own`, { own })
    // The service does not know yet that the line is cut; the network says so.
    await rows(server.db, `update sim_sessions set status = 'STARTING' where container_id = :own`, { own })
    const error = await change(messageId).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'GATEWAY_SESSION_ERROR', status: 503 })
    // Only a send has an outcome.
    expect(error.details.outcome).toBe(name === 'forward' ? 'not_sent' : undefined)
  })

  it('refuses a message that was deleted', async () => {
    const messageId = await sent.link()
    await client.alert.delete({ messageId })
    if (name === 'delete') return
    await expect(change(messageId)).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'deleted' },
    })
  })

  it('says that the number which sent the message was removed', async () => {
    const gone = await makeNumber(server, organization)
    const { messageId } = await client.alert.sendLink({ phone, url: 'https://acme.example/', containerId: gone })
    const owner = server.client({ token: await makeToken(server, organization) })
    await owner.numbers.delete({ containerId: gone })
    await expect(change(messageId)).rejects.toMatchObject({
      code: 'NO_SESSION_CONFIGURED',
      message: 'The number that sent the message was removed.',
    })
  })
})

describe('PUT /alert/messages/:messageId', () => {
  it.each([
    ['text', 'message'],
    ['link', 'message'],
    ['image', 'caption'],
  ] as const)('changes the words of a %s by its %s, on the phone and in the list', async (kind, field) => {
    const messageId = await sent[kind]()
    const answer = await client.alert.edit({ messageId, [field]: 'new words' })
    expect(answer).toEqual({
      success: true,
      messageId,
      gatewayMessageId: expect.any(String),
      containerId,
      editedAt: expect.any(String),
    })
    expect(await contentOf(messageId)).toMatchObject(
      kind === 'image' ? { caption: 'new words' } : { text: 'new words' },
    )
    expect((await client.messages.get({ id: messageId })).message.content).toBe('new words')
    expect(await steps(messageId)).toContain('edited')
  })

  it.each([
    ['text', 'caption'],
    ['image', 'message'],
    ['location', 'message'],
    ['location', 'caption'],
    ['poll', 'message'],
  ] as const)('refuses, for a %s, the field %s that it has not', async (kind, field) => {
    const messageId = await sent[kind]()
    await expect(client.alert.edit({ messageId, [field]: 'new words' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field, code: 'custom' }],
    })
  })

  it.each([{}, { message: 'a', caption: 'b' }])('wants exactly one of both fields, not %j', async (body) => {
    await expect(client.alert.edit({ messageId: unknownId, ...body })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
  })

  it('works for 15 minutes, and then says how long it would have', async () => {
    const messageId = await sent.link()
    await server.advance(890)
    await client.alert.edit({ messageId, message: 'just in time' })
    await server.advance(20)
    const error = await client.alert.edit({ messageId, message: 'too late' }).catch((thrown) => thrown)
    expect(error).toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'window_passed', windowSeconds: 900 },
    })
    expect(error.details.ageSeconds).toBeGreaterThanOrEqual(910)
    expect(await contentOf(messageId)).toMatchObject({ text: 'just in time' })
  })
})

describe('DELETE /alert/messages/:messageId', () => {
  it('takes the message off the phone, once, and keeps it in the list', async () => {
    const messageId = await sent.poll()
    const first = await client.alert.delete({ messageId })
    expect(first).toEqual({ success: true, messageId, deletedAt: expect.any(String) })
    await server.advance(5)
    expect(await client.alert.delete({ messageId })).toEqual(first)
    const { message, timeline } = await client.messages.get({ id: messageId })
    expect(message.content).toBe('[poll] Tea?')
    expect(timeline.filter(({ step }) => step === 'deleted')).toHaveLength(1)
    const networkId = message.gatewayMessageId ?? ''
    expect(await isTakenBack(server, { containerId, to: phone, networkId })).toBe(true)
  })

  it('works for 60 hours', async () => {
    const messageId = await sent.poll()
    const late = await sent.poll()
    await server.advance(60 * 3600 - 60)
    await client.alert.delete({ messageId })
    await server.advance(120)
    await expect(client.alert.delete({ messageId: late })).rejects.toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'window_passed', windowSeconds: 216_000 },
    })
  })

  it('works as long as the setting says', async () => {
    const hasty = await startTestServer({ env: { DELETE_WINDOW_SECONDS: '10', EDIT_WINDOW_SECONDS: '10' } })
    const theirs = await makeOrganization(hasty)
    await makeNumber(hasty, theirs)
    const { alert } = hasty.client(theirs)
    const { messageId } = await alert.sendLink({ phone, url: 'https://acme.example/' })
    await hasty.advance(12)
    const refusal = { code: 'FORBIDDEN_ACTION', details: { windowSeconds: 10 } }
    await expect(alert.delete({ messageId })).rejects.toMatchObject(refusal)
    await expect(alert.edit({ messageId, message: 'x' })).rejects.toMatchObject(refusal)
  })
})

describe('POST /alert/messages/:messageId/forward', () => {
  it.each(['text', 'link', 'image', 'location', 'poll'] as const)(
    'sends a %s on as a message of its own',
    async (kind) => {
      const messageId = await sent[kind]()
      const answer = await client.alert.forward({ messageId, phone: '12025550100', clientReference: 'fwd' })
      expect(answer).toEqual({
        success: true,
        messageId: expect.any(String),
        gatewayMessageId: expect.any(String),
        containerId,
      })
      expect(answer.messageId).not.toBe(messageId)
      const original = (await client.messages.get({ id: messageId })).message
      const { message } = await eventually(
        () => client.messages.get({ id: answer.messageId }),
        (now) => now.message.status === 'read',
      )
      expect(message).toMatchObject({ recipient: '12025550100', content: original.content, clientReference: 'fwd' })
      expect(await contentOf(answer.messageId)).toEqual(await contentOf(messageId))
    },
  )

  it('goes through the number that has the message, and no other', async () => {
    const messageId = await sent.location()
    await expect(client.alert.forward({ messageId, phone, containerId: second })).rejects.toMatchObject({
      code: 'MESSAGE_WRONG_NUMBER',
    })
    await expect(client.alert.forward({ messageId, phone, containerId: unknownId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(client.alert.forward({ messageId, phone, containerId })).resolves.toMatchObject({ containerId })
  })

  it('sends once for one Idempotency-Key', async () => {
    const messageId = await sent.location()
    const options = { idempotencyKey: 'forward-once' }
    const first = await client.alert.forward({ messageId, phone: '12025550132' }, options)
    expect(await client.alert.forward({ messageId, phone: '12025550132' }, options)).toEqual(first)
    const got = (await transcriptOf(server, containerId)).filter(({ to }) => to === '12025550132')
    expect(got).toHaveLength(1)
  })

  it('fails like any send, with its own message in the details', async () => {
    const messageId = await sent.location()
    const error = await client.alert.forward({ messageId, phone: '12025550111' }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'GATEWAY_ERROR', details: { outcome: 'not_sent' } })
    expect(error.details.messageId).not.toBe(messageId)
  })
})
