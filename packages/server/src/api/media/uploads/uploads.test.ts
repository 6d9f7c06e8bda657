import { limits } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { samples } from '#testing/sample-files.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { deleteExpiredUploads } from './store.ts'

const server = await startTestServer({ worker: false })
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)
const other = server.client(await makeOrganization(server))
const phone = '12025550100'

const address = `${server.baseUrl}/media`
const key = { 'x-api-key': organization.apiKey }

/** The body of a response: of an upload that is taken, or of one that is refused. */
interface Answer {
  readonly mediaId: string
  readonly error: {
    readonly code: string
    readonly message: string
    readonly issues: unknown
    readonly details: unknown
  }
}

async function post(body: string | Uint8Array | FormData, headers: Record<string, string>, query = '') {
  const init = { method: 'POST', headers: { ...key, ...headers }, body } as RequestInit
  const response = await fetch(`${address}${query}`, init)
  return { status: response.status, body: (await response.json()) as Answer }
}

function form(bytes: Uint8Array, name: string, fields: Record<string, string> = {}): FormData {
  const made = new FormData()
  for (const [field, value] of Object.entries(fields)) made.set(field, value)
  made.set('file', new Blob([new Uint8Array(bytes)]), name)
  return made
}

async function sentContent(gatewayMessageId: string): Promise<unknown> {
  const entry = (await transcriptOf(server, containerId)).find(({ networkId }) => networkId === gatewayMessageId)
  return entry?.content
}

describe('POST /media', () => {
  it('takes the bytes alone, and says what it recognized', async () => {
    const before = (await server.services.clock.now()).getTime()
    const { success, mediaId, expiresAt, ...facts } = await client.media.upload({ content: samples.png })
    expect([success, mediaId]).toEqual([true, expect.any(String)])
    expect(facts).toEqual({ filename: 'file.png', mimetype: 'image/png', sizeBytes: samples.png.length })
    const keptMs = Date.parse(expiresAt) - before
    expect(Math.abs(keptMs - limits.media.keptSeconds * 1000)).toBeLessThan(60_000)
  })

  it.each([
    [
      'JSON',
      () =>
        post(JSON.stringify({ content: samples.pdf.toString('base64'), filename: 'Ünïcode.pdf' }), {
          'content-type': 'application/json',
        }),
    ],
    ['a form', () => post(form(samples.pdf, 'Ünïcode.pdf'), {})],
    ['a form with a field for the name', () => post(form(samples.pdf, 'x', { filename: 'Ünïcode.pdf' }), {})],
    [
      'bytes',
      () => post(samples.pdf, { 'content-type': 'application/pdf' }, `?filename=${encodeURIComponent('Ünïcode.pdf')}`),
    ],
  ])('stores the same file once, whichever form it comes in: %s', async (_form, upload) => {
    const { mediaId } = await client.media.upload({ content: samples.pdf, filename: 'Ünïcode.pdf' })
    const { status, body } = await upload()
    expect([status, body.mediaId]).toEqual([201, mediaId])
    expect(body).toMatchObject({ filename: 'Ünïcode.pdf', mimetype: 'application/pdf' })
  })

  it('takes a Blob, and gives the same file under another name another id', async () => {
    const content = new Blob([new Uint8Array(samples.jpeg)])
    const [one, two] = await Promise.all(
      ['a.jpg', 'b.jpg'].map((filename) => client.media.upload({ content, filename })),
    )
    expect(one?.mediaId).not.toBe(two?.mediaId)
  })

  it('refuses what is larger than 16 MiB, in every form', async () => {
    const large = Buffer.alloc(limits.media.bytes + 1, 'a')
    const forms = [
      () => post(large, { 'content-type': 'text/plain' }),
      () => post(form(large, 'a.txt'), {}),
      () => post(JSON.stringify({ content: large.toString('base64') }), { 'content-type': 'application/json' }),
    ]
    for (const upload of forms) {
      const { status, body } = await upload()
      const { code, details } = body.error
      // The length of base64 is a bound of its field.
      if (code !== 'VALIDATION_ERROR')
        expect({ status, code, details }).toMatchObject({ status: 413, code: 'FILE_TOO_LARGE' })
      else expect(body.error.issues).toMatchObject([{ field: 'content', code: 'too_big' }])
    }
  })

  it('takes 16 MiB, and sends all of it', async () => {
    const whole = Buffer.concat([samples.pdf, Buffer.alloc(limits.media.bytes - samples.pdf.length, 7)])
    const { mediaId, sizeBytes } = await client.media.upload({ content: whole, filename: 'large.pdf' })
    expect(sizeBytes).toBe(limits.media.bytes)
    const { gatewayMessageId } = await client.alert.sendFile({ phone, mediaId })
    const { createHash } = await import('node:crypto')
    const sha256 = createHash('sha256').update(whole).digest('hex')
    expect(await sentContent(gatewayMessageId)).toMatchObject({ kind: 'file', sizeBytes, sha256 })
  })

  it.each([
    ['a web page', { content: Buffer.from('<html></html>'), filename: 'a.html' }],
    ['a program', { content: Buffer.from('\x7fELF\x02\x01\x01\0\0\0', 'latin1') }],
  ])('refuses %s', async (_what, input) => {
    await expect(client.media.upload(input)).rejects.toMatchObject({ code: 'SEND_FILE_TYPE_NOT_ALLOWED', status: 415 })
  })

  it.each([
    ['no body', '', { 'content-type': 'application/json' }, 'content', 'required'],
    ['no bytes', '', { 'content-type': 'image/png' }, 'content', 'too_small'],
    ['a number', '{"content":1}', { 'content-type': 'application/json' }, 'content', 'invalid_type'],
    ['what is no base64', '{"content":"<svg/>"}', { 'content-type': 'application/json' }, 'content', 'custom'],
    [
      'base64 with line breaks',
      '{"content":"aGVs\\nbG8="}',
      { 'content-type': 'application/json' },
      'content',
      'custom',
    ],
  ])('refuses %s', async (_what, body, headers, field, code) => {
    const { status, body: answer } = await post(body, headers)
    expect([status, answer.error.code, answer.error.issues]).toMatchObject([400, 'VALIDATION_ERROR', [{ field, code }]])
  })

  it('refuses a form that is none, and one without a file', async () => {
    const broken = await post('--x', { 'content-type': 'multipart/form-data; boundary=x' })
    expect([broken.status, broken.body.error.code]).toEqual([400, 'INVALID_JSON'])
    const empty = new FormData()
    empty.set('filename', 'a.png')
    const { body } = await post(empty, {})
    expect(body.error.issues).toMatchObject([{ field: 'file', code: 'required' }])
  })

  it('refuses a form with more than 10 parts, whatever they are', async () => {
    const parts = (count: number) => {
      const made = form(samples.png, 'a.png')
      for (let n = 1; n < count; n++) made.append('a', new Blob([]), 'b')
      return made
    }
    expect((await post(parts(limits.media.formParts), {})).status).toBe(201)
    const part = '--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n\r\n'
    const many = Buffer.from(`${part.repeat(100_000)}--x--\r\n`)
    for (const body of [parts(limits.media.formParts + 1), many]) {
      const headers = body === many ? { 'content-type': 'multipart/form-data; boundary=x' } : {}
      const { status, body: answer } = await post(body, headers)
      expect([status, answer.error]).toMatchObject([
        413,
        { code: 'PAYLOAD_TOO_LARGE', message: 'The form has more than 10 parts.' },
      ])
    }
  })

  it.each([
    ['a form of fields', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['compressed bytes', { 'content-type': 'image/png', 'content-encoding': 'gzip' }],
  ])('refuses %s, which are no file', async (_what, headers) => {
    const { status, body } = await post(samples.png, headers)
    expect([status, body.error.code]).toEqual([400, 'INVALID_JSON'])
  })

  it('bounds the name and the type that a caller gives, in every form', async () => {
    const long = 'n'.repeat(256)
    for (const answer of [
      await post(samples.png, { 'content-type': 'image/png' }, `?filename=${long}`),
      await post(form(samples.png, 'a.png', { filename: long }), {}),
      await post(JSON.stringify({ content: samples.png.toString('base64'), filename: long }), {
        'content-type': 'application/json',
      }),
    ]) {
      expect(answer.body.error.issues).toMatchObject([{ field: 'filename', code: 'too_big', maximum: 255 }])
    }
  })

  it("is not for a number's key, nor without Developer", async () => {
    const { apiKey } = await client.numbers.generateKey({ containerId })
    await expect(server.client({ apiKey }).media.upload({ content: samples.png })).rejects.toMatchObject({
      code: 'NUMBER_KEY_SCOPE',
    })
    const notify = server.client(await makeOrganization(server, { products: ['notify'] }))
    await expect(notify.media.upload({ content: samples.png })).rejects.toMatchObject({ code: 'PRODUCT_REQUIRED' })
  })
})

describe('an uploaded file', () => {
  const sends = {
    image: { content: samples.png, send: (mediaId: string) => client.alert.sendImage({ phone, mediaId }) },
    video: { content: samples.mp4, send: (mediaId: string) => client.alert.sendVideo({ phone, mediaId }) },
    file: { content: samples.docx, send: (mediaId: string) => client.alert.sendFile({ phone, mediaId }) },
    voice: { content: samples.opus, send: (mediaId: string) => client.alert.sendVoice({ phone, mediaId }) },
  } as const

  it.each(Object.entries(sends))('is sent as %s, under its name', async (kind, { content, send }) => {
    const { mediaId, filename } = await client.media.upload({ content, filename: `the ${kind}` })
    const { messageId, gatewayMessageId } = await send(mediaId)
    expect(await sentContent(gatewayMessageId)).toMatchObject({ kind, sizeBytes: content.length })
    expect((await client.messages.get({ id: messageId })).message.content).toBe(`[${kind}] ${filename}`)
  })

  it('can be sent with another name, and as the picture of a link or of a profile', async () => {
    const { mediaId } = await client.media.upload({ content: samples.png })
    const { messageId } = await client.alert.sendImage({ phone, mediaId, filename: 'menu', caption: 'Our menu' })
    expect((await client.messages.get({ id: messageId })).message.content).toBe('Our menu')
    const link = await client.alert.sendLink({ phone, url: 'https://example.com/', mediaId })
    expect(await sentContent(link.gatewayMessageId)).toMatchObject({ kind: 'link' })
    expect((await client.numbers.setProfile({ containerId, mediaId })).pictureUrl).not.toBeNull()
  })

  it('is named in a chat as the kind of file, without its label', async () => {
    const { mediaId } = await client.media.upload({ content: samples.png, filename: 'menu of today.png' })
    await client.alert.sendImage({ phone: '12025550199', mediaId })
    const [chat] = (await client.chats.list({ search: '12025550199' })).chats
    expect(chat).toMatchObject({ lastMessage: '', lastAttachment: 'Photo' })
  })

  it('must be what the route sends', async () => {
    const { mediaId } = await client.media.upload({ content: samples.pdf })
    await expect(client.alert.sendImage({ phone, mediaId })).rejects.toMatchObject({
      code: 'SEND_FILE_TYPE_NOT_ALLOWED',
    })
  })

  it('is given instead of a link: one of the two', async () => {
    const { mediaId } = await client.media.upload({ content: samples.png })
    const both = client.alert.sendImage({ phone, mediaId, imageUrl: 'https://example.com/a.png' } as never)
    const message = 'must not be given together with mediaId'
    await expect(both).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field: 'imageUrl', code: 'custom', message }],
    })
  })

  it('is unknown to another organization, and after a day', async () => {
    const { mediaId } = await client.media.upload({ content: samples.webp })
    await expect(other.media.upload({ content: samples.webp })).resolves.not.toMatchObject({ mediaId })
    await makeNumber(server, organization)
    const stranger = await makeOrganization(server)
    await makeNumber(server, stranger)
    const refused = { code: 'NOT_FOUND', status: 404 }
    await expect(server.client(stranger).alert.sendImage({ phone, mediaId })).rejects.toMatchObject(refused)
    await server.advance(limits.media.keptSeconds + 1)
    await expect(client.alert.sendImage({ phone, mediaId })).rejects.toMatchObject(refused)
  })

  it("is sent by a number's key, too", async () => {
    const { mediaId } = await client.media.upload({ content: samples.png })
    const { apiKey } = await client.numbers.regenerateKey({ containerId })
    await expect(server.client({ apiKey }).alert.sendImage({ phone, mediaId })).resolves.toMatchObject({ containerId })
  })

  it('is deleted by the cleanup when it has expired, and not before', async () => {
    await client.media.upload({ content: samples.flac })
    await server.advance(limits.media.keptSeconds + 700)
    const kept = await client.media.upload({ content: samples.wav })
    while ((await deleteExpiredUploads(server.db, 2)) > 0);
    expect(await rows(server.db, 'select id from uploads')).toEqual([{ id: kept.mediaId }])
  })

  it('counts against what the organization stores, until it expires', async () => {
    const full = await makeOrganization(server)
    await rows(
      server.db,
      `insert into uploads (id, organization_id, sha256, format, filename, mimetype, size_bytes, bytes, expires_at)
       values (gen_random_uuid(), :organizationId, '', 'text', '', '', :bytes, '', service_now() + interval '1 h')`,
      { organizationId: full.organizationId, bytes: limits.media.storedBytes - 10 },
    )
    const details = { reason: 'quota_reached', limit: limits.media.storedBytes, requested: samples.docx.length }
    const upload = () => server.client(full).media.upload({ content: samples.docx })
    await expect(upload()).rejects.toMatchObject({ code: 'FORBIDDEN_ACTION', details })
    await server.advance(3601)
    await expect(upload()).resolves.toMatchObject({ success: true })
  })
})
