import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { startFileServer } from '#testing/file-server.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { samples } from '#testing/sample-files.ts'
import { transcriptOf } from '#testing/sim.ts'
import { serveDatabase, startTestServer, type TestServer } from '#testing/start-server.ts'

const server = await startTestServer()
const files = await startFileServer()
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)
const phone = '12025550100'

const links = {
  image: files.serve('/a/photo.png', samples.png),
  video: files.serve('/a/film.mp4', samples.mp4),
  file: files.serve('/a/report.pdf', samples.pdf),
  voice: files.serve('/a/note', samples.opus),
}

/** Sends a link as each kind of media does. */
const sends = {
  image: (url: string, more: object = {}) => client.alert.sendImage({ phone, imageUrl: url, ...more }),
  video: (url: string, more: object = {}) => client.alert.sendVideo({ phone, videoUrl: url, ...more }),
  file: (url: string, more: object = {}) => client.alert.sendFile({ phone, fileUrl: url, ...more }),
  voice: (url: string, more: object = {}) => client.alert.sendVoice({ phone, audioUrl: url, ...more }),
}
type Kind = keyof typeof sends
const kinds: readonly Kind[] = ['image', 'video', 'file', 'voice']
const fields = { image: 'imageUrl', video: 'videoUrl', file: 'fileUrl', voice: 'audioUrl' } as const

async function stored(): Promise<number> {
  const [counted] = await rows<{ count: number }>(server.db, 'select count(*) as count from messages')
  return counted?.count ?? 0
}

async function gotten(gatewayMessageId: string) {
  return (await transcriptOf(server, containerId)).find((entry) => entry.networkId === gatewayMessageId)
}

describe.each(kinds)('POST /alert/send-%s', (kind) => {
  it('sends the file directly, returns both ids, and records it as sent under its label', async () => {
    const answer = await sends[kind](links[kind])
    expect(answer).toEqual({
      success: true,
      messageId: expect.any(String),
      gatewayMessageId: expect.any(String),
      containerId,
    })
    const { message, timeline } = await client.messages.get({ id: answer.messageId })
    expect(message).toMatchObject({
      type: 'alert',
      recipient: phone,
      content: `[${kind}] ${links[kind]}`,
      gatewayMessageId: answer.gatewayMessageId,
      containerId,
    })
    expect(timeline.map((entry) => entry.step).slice(0, 2)).toEqual(['sending', 'sent'])
    const read = await eventually(
      () => client.messages.get({ id: answer.messageId }),
      (now) => now.message.status === 'read',
    )
    expect(read.message.deliveredAt).not.toBeNull()
  })

  it('hands the bytes to the network, and never the link', async () => {
    const { gatewayMessageId } = await sends[kind](links[kind])
    const entry = await gotten(gatewayMessageId)
    expect(entry?.content).toMatchObject({ kind, sizeBytes: expect.any(Number), sha256: expect.any(String) })
    expect(JSON.stringify(entry)).not.toContain(files.address)
  })

  it.each([
    'http://10.0.0.1/a',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/a',
    'http://[::ffff:10.0.0.1]/a',
    'http://0x0a000001/a',
    'https://user:pw@example.com/a',
    'http://127.0.0.1:22/a',
  ])('refuses %s before it contacts any host', async (url) => {
    const before = await stored()
    await expect(sends[kind](url)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 400,
      issues: [{ field: fields[kind], code: 'invalid_url' }],
    })
    expect(await stored()).toBe(before)
  })

  it('stores nothing when the file cannot be downloaded, and a repeat with the same key tries again', async () => {
    const before = await stored()
    let there = false
    const url = files.on(`/later/${kind}`, (response) => {
      if (there) response.writeHead(200).end(samples[kind === 'image' ? 'png' : kind === 'video' ? 'mp4' : 'opus'])
      else response.writeHead(404).end()
    })
    const call = () =>
      fetch(`${server.baseUrl}/alert/send-${kind}`, {
        method: 'POST',
        headers: {
          'x-api-key': organization.apiKey,
          'content-type': 'application/json',
          'idempotency-key': `later-${kind}`,
        },
        body: JSON.stringify({ phone, [fields[kind]]: url }),
      })
    expect((await call()).status).toBe(422)
    expect(await stored()).toBe(before)
    there = true
    expect((await call()).status).toBe(201)
    const repeat = await call()
    expect([repeat.status, repeat.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(await stored()).toBe(before + 1)
  })
})

describe('a number that is removed while the file is fetched', () => {
  it('sends nothing, and nothing is stored', async () => {
    const gone = await makeNumber(server, organization)
    const before = await stored()
    const url = files.on('/gone.pdf', async (response) => {
      for (const table of ['lanes', 'numbers']) {
        const id = table === 'lanes' ? 'container_id' : 'id'
        await rows(server.db, `delete from ${table} where ${id} = :gone`, { gone })
      }
      response.writeHead(200).end(samples.pdf)
    })
    await expect(sends.file(url, { containerId: gone })).rejects.toMatchObject({ code: 'NO_SESSION_CONFIGURED' })
    expect(await stored()).toBe(before)
  })
})

describe('what goes with a file', () => {
  it('is its caption, which the list shows in place of the label', async () => {
    const answer = await sends.image(links.image, { caption: 'Our new shop', filename: 'shop.png' })
    expect((await client.messages.get({ id: answer.messageId })).message.content).toBe('Our new shop')
    expect((await gotten(answer.gatewayMessageId))?.content).toMatchObject({
      caption: 'Our new shop',
      filename: 'shop.png',
      mimetype: 'image/png',
    })
  })

  it('is the label when the caption is empty', async () => {
    const answer = await sends.file(links.file, { caption: '' })
    expect((await client.messages.get({ id: answer.messageId })).message.content).toBe(`[file] ${links.file}`)
    const content = (await gotten(answer.gatewayMessageId))?.content
    expect(content).toMatchObject({ filename: 'report.pdf' })
    expect(content).not.toHaveProperty('caption')
  })

  it('is the type that its bytes say, whatever the caller claims', async () => {
    const answer = await sends.file(links.file, { mimetype: 'text/html' })
    expect((await gotten(answer.gatewayMessageId))?.content).toMatchObject({ mimetype: 'application/pdf' })
  })

  it('is no name for a voice note', async () => {
    const answer = await sends.voice(links.voice)
    const content = (await gotten(answer.gatewayMessageId))?.content
    expect(content).toMatchObject({ mimetype: 'audio/ogg; codecs=opus' })
    expect(content).not.toHaveProperty('filename')
  })
})

describe('without a way to reach private addresses', () => {
  let other: TestServer
  beforeAll(async () => {
    const env = { ALLOW_PRIVATE_TARGETS: '' }
    other = await serveDatabase(server.db, server.databaseUrl, { env, worker: false })
  })
  afterAll(() => other.stop())

  it.each([
    'http://127.0.0.1/a',
    'http://127.1/a',
    'http://2130706433/a',
    'http://0177.0.0.1/a',
    'http://0/a',
    'http://0.0.0.0/a',
    'http://[::1]/a',
    'http://[::ffff:127.0.0.1]/a',
    'http://[::ffff:7f00:1]/a',
    'http://[fe80::1%25eth0]/a',
    'http://169.254.169.254/a',
    'ftp://example.com/a',
    'file:///etc/passwd',
    'data:image/png;base64,AA==',
    'https://example.com/a\r\nX: 1',
    'https://user:pw@example.com/a',
    'http://[::]/a',
    'http://①②⑦.⓪.⓪.①/a',
    'http://127.0.0.1./a',
    'http://localhost/a',
    'http://localhost./a',
    'http://printer.local/a',
    'http://172.16.0.1/a',
    'http://192.168.0.1/a',
    'http://100.64.0.1/a',
    'http://192.0.0.1/a',
    'http://198.18.0.1/a',
    'http://224.0.0.1/a',
    'http://240.0.0.1/a',
    'http://255.255.255.255/a',
    'http://[fe80::1]/a',
    'http://[fc00::1]/a',
    'http://[64:ff9b::7f00:1]/a',
    'http://[2002:7f00:1::]/a',
    'http://[2001:0:7f00:1::]/a',
    'http://[::127.0.0.1]/a',
    'http://[2001:db8::1]/a',
  ])('%s is refused', async (imageUrl) => {
    await expect(other.client(organization).alert.sendImage({ phone, imageUrl })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ field: 'imageUrl', code: 'invalid_url' }],
    })
  })
})
