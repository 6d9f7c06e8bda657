import { describe, expect, it } from 'vitest'
import { advanceToNoon } from '#testing/advance-to-noon.ts'
import { eventually } from '#testing/eventually.ts'
import { startFileServer } from '#testing/file-server.ts'
import { makeNumber, makeNumberKey, makeOrganization } from '#testing/make.ts'
import { samples } from '#testing/sample-files.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
await advanceToNoon(server.services.clock)
const files = await startFileServer()
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)
const phone = '+1 202 555 0100'

async function messageOf(messageId: string) {
  return (await client.messages.get({ id: messageId })).message
}

/** What the phone got of a message, by the network's id. */
async function gotten(gatewayMessageId: string) {
  const all = await transcriptOf(server, containerId)
  return all.find((entry) => entry.networkId === gatewayMessageId)
}

const cards = [
  {
    name: 'POST /alert/send-contact',
    send: () =>
      client.alert.sendContact({
        phone,
        contacts: [
          { fullName: 'Jane Doe', phone: '+1 (202) 555-0199', email: 'jane@example.com' },
          { fullName: 'John Roe', phone: '12025550198', organization: 'Acme', url: 'https://acme.example/' },
        ],
      }),
    shown: '[contact] Jane Doe, John Roe',
    content: {
      kind: 'contacts',
      contacts: [
        { fullName: 'Jane Doe', phone: '12025550199', email: 'jane@example.com' },
        { fullName: 'John Roe', phone: '12025550198', organization: 'Acme', url: 'https://acme.example/' },
      ],
    },
  },
  {
    name: 'POST /alert/send-location',
    send: () => client.alert.sendLocation({ phone, latitude: 38.89, longitude: -77.09, name: 'Our office' }),
    shown: '[location] 38.89,-77.09 Our office',
    content: { kind: 'location', latitude: 38.89, longitude: -77.09, name: 'Our office' },
  },
  {
    name: 'POST /alert/send-location with an address alone',
    send: () => client.alert.sendLocation({ phone, latitude: 0, longitude: 180, address: 'Main Street 1' }),
    shown: '[location] 0,180 Main Street 1',
    content: { kind: 'location', latitude: 0, longitude: 180, address: 'Main Street 1' },
  },
  {
    name: 'POST /alert/send-link',
    send: () => client.alert.sendLink({ phone, url: 'https://acme.example/a', message: 'Have a look', title: 'Acme' }),
    shown: 'Have a look\nhttps://acme.example/a',
    content: {
      kind: 'link',
      text: 'Have a look\nhttps://acme.example/a',
      url: 'https://acme.example/a',
      title: 'Acme',
    },
  },
  {
    name: 'POST /alert/send-link with the link in its text',
    send: () =>
      client.alert.sendLink({ phone, url: 'https://acme.example/a', message: 'https://acme.example/a is it' }),
    shown: 'https://acme.example/a is it',
    content: { kind: 'link', text: 'https://acme.example/a is it', url: 'https://acme.example/a' },
  },
  {
    name: 'POST /alert/send-link without text',
    send: () => client.alert.sendLink({ phone, url: 'https://acme.example/a' }),
    shown: 'https://acme.example/a',
    content: { kind: 'link', text: 'https://acme.example/a', url: 'https://acme.example/a' },
  },
  {
    name: 'POST /alert/send-poll',
    send: () => client.alert.sendPoll({ phone, question: 'Tea?', options: ['yes', 'no'], multipleAnswers: true }),
    shown: '[poll] Tea?',
    content: { kind: 'poll', question: 'Tea?', options: ['yes', 'no'], multipleAnswers: true },
  },
]

describe.each(cards)('$name', ({ send, shown, content }) => {
  it('reaches the phone at once and is recorded as sent', async () => {
    const answer = await send()
    expect(answer).toEqual({
      success: true,
      messageId: expect.any(String),
      gatewayMessageId: expect.any(String),
      containerId,
    })
    expect(await gotten(answer.gatewayMessageId)).toMatchObject({ to: '12025550100', content, typed: false })
    expect((await gotten(answer.gatewayMessageId))?.content).toEqual(content)
    const message = await messageOf(answer.messageId)
    expect(message).toMatchObject({
      type: 'alert',
      recipient: '12025550100',
      content: shown,
      attempts: 1,
      gatewayMessageId: answer.gatewayMessageId,
      containerId,
      error: null,
    })
    expect(['sent', 'delivered', 'read']).toContain(message.status)
  })

  it('is reported until it is read', async () => {
    const { messageId } = await send()
    const { timeline } = await eventually(
      () => client.messages.get({ id: messageId }),
      ({ message }) => message.status === 'read',
    )
    expect(timeline.map((entry) => entry.step)).toEqual(['sending', 'sent', 'delivered', 'read'])
  })
})

describe('the picture of a link', () => {
  const url = 'https://acme.example/a'

  it('is fetched by the service and passed on as bytes, so that no other party follows the link', async () => {
    const imageUrl = files.serve('/preview', samples.png)
    const { gatewayMessageId } = await client.alert.sendLink({ phone, url, imageUrl, description: 'More' })
    const entry = await gotten(gatewayMessageId)
    expect(entry?.content).toMatchObject({
      description: 'More',
      image: { mimetype: 'image/png', sizeBytes: samples.png.length },
    })
    expect(JSON.stringify(entry)).not.toContain(files.address)
  })

  it('is refused when it is none, and nothing is sent', async () => {
    const before = (await transcriptOf(server, containerId)).length
    const imageUrl = files.serve('/no-preview', samples.pdf)
    await expect(client.alert.sendLink({ phone, url, imageUrl })).rejects.toMatchObject({
      code: 'SEND_FILE_TYPE_NOT_ALLOWED',
    })
    expect(await transcriptOf(server, containerId)).toHaveLength(before)
  })

  it.each(['url', 'imageUrl'] as const)('or the link itself (%s) may not be private', async (field) => {
    await expect(client.alert.sendLink({ phone, url, [field]: 'http://10.0.0.1/' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field, code: 'invalid_url' }],
    })
  })
})

describe('whom and through which number', () => {
  const place = { phone, latitude: 1, longitude: 2 }

  it('a number’s key sends through its own number, whatever containerId says', async () => {
    const second = await makeNumber(server, organization)
    const key = await makeNumberKey(server, organization, second)
    const answer = await server.client({ apiKey: key }).alert.sendLocation({ ...place, containerId })
    expect(answer.containerId).toBe(second)
  })

  it('a hidden id is written to as it is', async () => {
    const lid = '7738388883'.padEnd(14, '3')
    await expect(client.alert.sendLocation({ ...place, phone: `${lid}@lid` })).resolves.toMatchObject({ containerId })
  })

  it('a number that is not connected sends nothing, and stores nothing', async () => {
    const other = await makeOrganization(server)
    const idle = await makeNumber(server, other, { linked: false })
    const theirs = server.client(other)
    for (const wanted of [{}, { containerId: idle }]) {
      await expect(theirs.alert.sendLocation({ ...place, ...wanted })).rejects.toMatchObject({
        code: 'NO_SESSION_CONFIGURED',
        status: 400,
      })
    }
    expect((await theirs.messages.list({})).total).toBe(0)
  })

  it('a number of another organization is not found', async () => {
    const other = await makeOrganization(server)
    await expect(server.client(other).alert.sendLocation({ ...place, containerId })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('carries its reference into the list and every event', async () => {
    const { messageId } = await client.alert.sendPoll({
      phone,
      question: 'Tea?',
      options: ['yes', 'no'],
      clientReference: 'order 9',
    })
    const { message } = await eventually(
      () => client.messages.get({ id: messageId }),
      (answer) => answer.message.status === 'read',
    )
    expect(message.clientReference).toBe('order 9')
    const { events } = await client.events.list({ limit: 500 })
    const own = events.flatMap(({ data }) => ('messageId' in data && data.messageId === messageId ? [data] : []))
    expect(own.length).toBeGreaterThan(0)
    for (const data of own) expect(data).toMatchObject({ clientReference: 'order 9' })
  })

  it('counts against the free trial like any other message', async () => {
    const trial = await makeOrganization(server, { granted: false })
    await makeNumber(server, trial)
    const theirs = server.client(trial)
    await theirs.alert.batch({ recipients: Array.from({ length: 99 }, (_, n) => `1202444${1000 + n}`), message: 'x' })
    await theirs.alert.sendLocation(place)
    await expect(theirs.alert.sendLocation(place)).rejects.toMatchObject({
      code: 'TRIAL_LIMIT_REACHED',
      details: { used: 100, requested: 1 },
    })
    expect((await theirs.messages.list({})).total).toBe(100)
  })

  it('gives the free trial back what the network refused for sure', async () => {
    const trial = await makeOrganization(server, { granted: false })
    await makeNumber(server, trial)
    const theirs = server.client(trial)
    const used = async () => (await theirs.account.me()).trial?.used
    await expect(theirs.alert.sendLocation({ ...place, phone: '12025550101' })).rejects.toMatchObject({
      code: 'NUMBER_NOT_ON_NETWORK',
    })
    await expect(theirs.alert.sendLocation({ ...place, phone: '12025550111' })).rejects.toMatchObject({
      details: { outcome: 'not_sent' },
    })
    expect(await used()).toBe(0)
    await theirs.alert.sendLocation(place)
    expect(await used()).toBe(1)
  })
})
