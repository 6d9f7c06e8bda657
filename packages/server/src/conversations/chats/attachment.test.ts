import { Readable } from 'node:stream'
import { limits } from '@msgctl/contract'
import { GatewayError } from '@msgctl/network/errors'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { downloadedPhotoName, photoName } from '#testing/tested/files.ts'

const server = await startTestServer()
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const second = await makeNumber(server, organization)
const client = server.client(organization)
const png = Buffer.from('89504e47', 'hex')

afterEach(() => vi.restoreAllMocks())

let people = 0

/** A person sends a photo; returns its message in the chat. */
async function receivePhoto(text = '') {
  people += 1
  const phone = `1303557${String(people).padStart(4, '0')}`
  await sim(server, 'POST inbound', { containerId, from: phone, type: 'image', ...(text && { caption: text }) })
  const { messages } = await eventually(
    () => client.chats.thread({ phone, containerId }),
    (now) => now.messages.length > 0,
  )
  const [message] = messages
  if (!message) throw new Error('nothing was received')
  return { ...message, phone }
}

const gateway = () => vi.spyOn(server.services.gateway, 'fetchMedia')

describe('a file that a person sent', () => {
  it('is named in the chat and in the list of unread messages', async () => {
    const { id, attachment } = await receivePhoto()
    expect(attachment).toEqual({ mimetype: 'image/png', ...photoName, sizeBytes: expect.any(Number) })
    const unread = (await client.chats.unread({ containerId })).messages.find((message) => message.id === id)
    expect(unread?.attachment).toEqual(attachment)
  })

  it('is named in the event of a photo with a caption', async () => {
    const { id, attachment } = await receivePhoto('look')
    const { events } = await client.events.list({ types: ['message.inbound'] })
    expect(events.at(-1)?.data).toMatchObject({ body: 'look', attachment: { id, ...attachment } })
  })

  it('can be downloaded, as a file that no browser runs', async () => {
    const { id, attachment } = await receivePhoto()
    const file = await client.chats.attachment({ id })
    expect(file).toMatchObject({ mimetype: 'image/png', filename: downloadedPhotoName })
    expect(file.content.byteLength).toBe(attachment?.sizeBytes)
    expect(Buffer.from(file.content.slice(0, 4))).toEqual(png)
    const response = await fetch(`${server.baseUrl}/chats/attachments/${id}`, {
      headers: { 'x-api-key': organization.apiKey },
    })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-disposition': `attachment; filename=${downloadedPhotoName}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
  })

  it.each([
    ['text/html', 'page.html', 'application/octet-stream'],
    ['image/svg+xml', 'a.svg', 'application/octet-stream'],
    ['application/pdf', 'Grüße; "x".pdf', 'application/pdf'],
  ])('of the type %s named %s is sent as %s', async (mimetype, filename, served) => {
    const { id } = await receivePhoto()
    await rows(server.db, 'update chat_messages set file = :file::jsonb where id = :id', {
      id,
      file: JSON.stringify({ mimetype, filename, sizeBytes: 3 }),
    })
    gateway().mockResolvedValue({ bytes: Readable.from([png]), mimetype })
    const file = await client.chats.attachment({ id })
    expect(file).toMatchObject({ mimetype: served, filename: filename.replaceAll('"', '') })
  })

  it('is unknown to another organization and to the key of another number', async () => {
    const { id } = await receivePhoto()
    const stranger = server.client(await makeOrganization(server))
    const { apiKey } = await client.numbers.generateKey({ containerId: second })
    const own = await client.numbers.generateKey({ containerId })
    const refused = { code: 'ATTACHMENT_NOT_FOUND', status: 404 }
    await expect(stranger.chats.attachment({ id })).rejects.toMatchObject(refused)
    await expect(server.client({ apiKey }).chats.attachment({ id })).rejects.toMatchObject(refused)
    await expect(server.client({ apiKey: own.apiKey }).chats.attachment({ id })).resolves.toBeDefined()
  })

  it('is not there for a text, and for a message that was taken back', async () => {
    const { id } = await receivePhoto()
    await rows(server.db, 'update chat_messages set revoked_at = service_now() where id = :id', { id })
    for (const one of [id, crypto.randomUUID()]) {
      await expect(client.chats.attachment({ id: one })).rejects.toMatchObject({ code: 'ATTACHMENT_NOT_FOUND' })
    }
  })

  it('has expired when the network no longer keeps it', async () => {
    const { id } = await receivePhoto()
    gateway().mockResolvedValue(null)
    await expect(client.chats.attachment({ id })).rejects.toMatchObject({ code: 'ATTACHMENT_EXPIRED', status: 410 })
  })

  it('is too large beyond 100 MiB: by the word of its sender, and by its bytes', async () => {
    const { id, phone } = await receivePhoto()
    const chunk = Buffer.alloc(1024 * 1024)
    const chunks = limits.attachmentBytes / chunk.length + 1
    let closed = false
    async function* endless() {
      try {
        for (let n = 0; n < chunks; n++) yield chunk
      } finally {
        closed = true
      }
    }
    gateway().mockResolvedValue({ bytes: Readable.from(endless()), mimetype: 'image/png' })
    await expect(client.chats.attachment({ id })).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
    expect(closed).toBe(true)
    await rows(server.db, `update chat_messages set file = file || '{"sizeBytes": 200000000}' where id = :id`, { id })
    await expect(client.chats.attachment({ id })).rejects.toMatchObject({ code: 'ATTACHMENT_TOO_LARGE', status: 413 })
    expect((await client.chats.thread({ phone, containerId })).messages).toHaveLength(1)
  })

  it.each([
    ['unsupported', 'ATTACHMENT_UNSUPPORTED'],
    ['session', 'GATEWAY_SESSION_ERROR'],
    ['unreachable', 'GATEWAY_UNREACHABLE'],
    ['timeout', 'UPSTREAM_TIMEOUT'],
    ['rejected', 'GATEWAY_ERROR'],
  ] as const)('fails as the network does: %s', async (kind, code) => {
    const { id } = await receivePhoto()
    gateway().mockRejectedValue(new GatewayError(kind, 'No.'))
    await expect(client.chats.attachment({ id })).rejects.toMatchObject({ code })
  })

  it('gives its permit back, however a download ends', async () => {
    const { id } = await receivePhoto()
    for (let n = 0; n < 8; n++) {
      gateway().mockRejectedValueOnce(new GatewayError('rejected', 'No.'))
      await expect(client.chats.attachment({ id })).rejects.toMatchObject({ code: 'GATEWAY_ERROR' })
    }
    const all = await Promise.all(Array.from({ length: 12 }, () => client.chats.attachment({ id })))
    expect(all).toHaveLength(12)
  })
})
