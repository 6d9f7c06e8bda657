import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { connect, errorFrom } from './test/connect.ts'
import { type Answer, failure, json } from './test/scripted-server.ts'
import { fakeService } from './testing.ts'

const uploaded = json(201, { success: true, mediaId: 'm' })
const bytes = Uint8Array.from([65, 66, 67])
const picture = Uint8Array.from([0, 255, 1, 254])
const file = (headers: Record<string, string>): Answer => {
  return (response) => void response.writeHead(200, headers).end(picture)
}

describe('media.upload', () => {
  it.each([
    ['bytes', bytes],
    ['an ArrayBuffer', bytes.buffer],
    ['a Blob', new Blob([bytes])],
  ])('sends %s as the body, and the rest in the query', async (_what, content) => {
    const { client, server } = await connect({}, uploaded)
    await client.media.upload({ content, filename: 'a b.bin', mimetype: 'x/y' })
    const [request] = server.requests
    expect([request?.path, request?.query.toString()]).toEqual(['/media', 'filename=a+b.bin&mimetype=x%2Fy'])
    expect(request?.headers['content-type']).toBe('application/octet-stream')
    expect(request?.body).toBe('ABC')
  })

  it.each([
    [undefined, 'menu.png'],
    ['other.png', 'other.png'],
  ])('keeps the name of a File with the filename %s', async (filename, sent) => {
    const { client, server } = await connect({}, uploaded)
    await client.media.upload({ content: new File([bytes], 'menu.png'), filename })
    expect(server.requests[0]?.query.get('filename')).toBe(sent)
    expect(server.requests[0]?.body).toBe('ABC')
  })

  it('sends only the part of a buffer that a view shows', async () => {
    const { client, server } = await connect({}, uploaded)
    await client.media.upload({ content: new Uint8Array(Uint8Array.from([64, 65, 66, 67, 68]).buffer, 1, 3) })
    expect(server.requests[0]?.body).toBe('ABC')
  })

  it.each([
    ['a stream', Readable.from(['x']), 'Of a stream: await new Response(stream).blob()'],
    ['a number', 7, 'content must be bytes, a Blob or base64.'],
    ['a path', './menu.png', 'content looks like a path and not like base64.'],
  ])('refuses %s before anything is sent', async (_what, content, message) => {
    const { client, server } = await connect({}, uploaded)
    const refused = client.media.upload({ content: content as never })
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(message) })
    expect(server.requests).toHaveLength(0)
  })

  it('sends a text in base64 as JSON', async () => {
    const { client, server } = await connect({}, uploaded)
    await client.media.upload({ content: 'AP8=' })
    expect(server.requests[0]?.headers['content-type']).toBe('application/json')
    expect(server.requests[0]?.body).toBe('{"content":"AP8="}')
  })

  it('is repeated when the outcome is unknown: a file that nothing refers to has no effect', async () => {
    const { client, server } = await connect({}, failure(500, 'INTERNAL_ERROR'), uploaded)
    await client.media.upload({ content: bytes })
    expect(server.requests.map(({ body }) => body)).toEqual(['ABC', 'ABC'])
  })
})

describe('chats.attachment', () => {
  it.each([
    ['attachment; filename=photo.png', 'photo.png'],
    ['attachment; filename="a b; c.png"', 'a b; c.png'],
    [`attachment; filename="?.pdf"; filename*=UTF-8''%C3%BC%3B%20x.pdf`, 'ü; x.pdf'],
    ['attachment', ''],
    [`attachment; filename*=UTF-8''%`, ''],
    [`attachment; filename="a.png"; filename*=UTF-8''%zz.png`, 'a.png'],
    [`attachment; filename=a.png; filename*=UTF-8''%ff%fe`, 'a.png'],
    [`attachment; filename*=UTF-8''%E0%A4%A`, ''],
    // A name goes into a folder of the caller, and was chosen by the sender of the file.
    [`attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`, 'passwd'],
    ['attachment; filename="C:\\\\a\\\\b.png"', 'b.png'],
    [`attachment; filename*=UTF-8''a%00%1B%5B2J%E2%80%AEgnp.exe`, 'a[2Jgnp.exe'],
    ['attachment; filename=".."', ''],
    ['attachment; filename="a/.."', ''],
    ['attachment; filename=".bashrc"', 'bashrc'],
  ])('returns the bytes, the type and the name: %s', async (disposition, filename) => {
    const headers = { 'content-type': 'image/png', 'content-disposition': disposition }
    const { client } = await connect({}, file(headers))
    const { content, ...facts } = await client.chats.attachment({ id: 'i' })
    expect(facts).toEqual({ mimetype: 'image/png', filename })
    expect([...content]).toEqual([...picture])
  })

  it('is fetched once, whatever name the response has', async () => {
    const headers = { 'content-type': 'image/png', 'content-disposition': `attachment; filename*=UTF-8''%` }
    const { client, server } = await connect({}, file(headers))
    await client.chats.attachment({ id: 'i' })
    expect(server.requests).toHaveLength(1)
  })

  it('throws the error of a refusal', async () => {
    const { client } = await connect({}, failure(410, 'ATTACHMENT_EXPIRED'))
    expect(await errorFrom(client.chats.attachment({ id: 'i' }))).toMatchObject({ code: 'ATTACHMENT_EXPIRED' })
  })
})

it('works with a fake service', async () => {
  const service = fakeService()
  const sent = { content: picture, mimetype: 'image/png', filename: 'ü.png' }
  service.answer('chats.attachment', sent)
  service.answer('media.upload', ({ content }) => ({
    mediaId: 'm',
    expiresAt: '2026-01-01T00:00:00.000Z',
    filename: 'a',
    mimetype: 'image/png',
    sizeBytes: (content as Uint8Array).byteLength,
  }))
  const client = service.client()
  expect(await client.chats.attachment({ id: '0195a0c0-0000-7000-8000-000000000001' })).toEqual(sent)
  expect(await client.media.upload({ content: bytes })).toMatchObject({ mediaId: 'm', sizeBytes: 3 })
  expect(service.calls.map(({ route }) => route)).toEqual(['chats.attachment', 'media.upload'])
})
