import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { openPublicFetch } from '@msgctl/network/public-address/fetch'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { ApiError } from '#platform/errors.ts'
import { startFileServer } from '#testing/file-server.ts'
import { samples } from '#testing/sample-files.ts'
import { type MediaLink, type MediaOptions, openMedia } from './media.ts'

const mib = 1024 * 1024
const files = await startFileServer()
const folder = await mkdtemp(path.join(tmpdir(), 'media-test-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function opened(options: MediaOptions & { allow?: string[] } = {}) {
  const { allow = ['127.0.0.1/32'], ...rest } = options
  const settings = { allowPrivateTargets: allow, serviceName: 'Test', log: pino({ level: 'silent' }) }
  const media = await openMedia(settings, { folder, ...rest })
  afterAll(() => media.close())
  return media
}

const media = await opened()

function link(url: string, more: Partial<MediaLink> = {}): MediaLink {
  return { organizationId: 'one', kind: 'file', url, signal: new AbortController().signal, ...more }
}

/** The code that a fetch is refused with. Nothing may be left of it. */
async function refusal(url: string, more: Partial<MediaLink> = {}, through = media): Promise<string> {
  const error: unknown = await through.withFile(link(url, more), async () => 'no refusal').catch((thrown) => thrown)
  expect(await readdir(folder)).toEqual([])
  if (!(error instanceof ApiError)) throw error
  return error.code
}

/** Writes chunks as fast as they are taken, until `bytes` are out or the other side left. */
async function pour(response: ServerResponse, bytes: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024, 'all work and no play ')
  const closed = new Promise((resolve) => response.once('close', resolve))
  let poured = 0
  while (poured < bytes && !response.destroyed) {
    poured += chunk.length
    if (!response.write(chunk)) await Promise.race([closed, new Promise((resolve) => response.once('drain', resolve))])
  }
  response.end()
  return poured
}

describe('a file behind a link', () => {
  it('is handed over as it is, with type, size and name, as often as it is opened, and then removed', async () => {
    const url = files.serve('/folder/report.pdf', samples.pdf, { 'content-type': 'text/html' })
    const file = await media.withFile(link(url), async (one) => {
      expect(await buffer(one.bytes())).toEqual(samples.pdf)
      expect(await buffer(one.bytes())).toEqual(samples.pdf)
      expect(await readdir(folder)).toHaveLength(1)
      return one
    })
    expect(file).toMatchObject({ sizeBytes: samples.pdf.length, mimetype: 'application/pdf', filename: 'report.pdf' })
    expect(await readdir(folder)).toEqual([])
  })

  it('is removed when its user fails', async () => {
    const use = media.withFile(link(files.serve('/a.pdf', samples.pdf)), () => Promise.reject(new Error('no')))
    await expect(use).rejects.toThrow('no')
    expect(await readdir(folder)).toEqual([])
  })

  it('is requested without compression, with the name of the service', async () => {
    await media.withFile(link(files.serve('/headers.pdf', samples.pdf)), async () => undefined)
    expect(files.requests.at(-1)?.headers).toMatchObject({ 'accept-encoding': 'identity', 'user-agent': 'Test/1.0' })
  })

  it('has the name and the type that the caller gives it, where they fit its bytes', async () => {
    const url = files.serve('/a.csv', samples.csv)
    const given = { filename: '../list.md', mimetype: 'text/markdown; charset=utf-8' }
    const file = await media.withFile(link(url, given), async (one) => one)
    expect(file).toMatchObject({ filename: 'list.md', mimetype: 'text/markdown; charset=utf-8' })
  })

  it.each(['image', 'video', 'voice'] as const)('is refused as %s when it is something else', async (kind) => {
    expect(await refusal(files.serve('/b.pdf', samples.pdf), { kind })).toBe('SEND_FILE_TYPE_NOT_ALLOWED')
  })

  it.each([
    ['a web page that calls itself a photo', '<html>sign in</html>', { 'content-type': 'image/png' }],
    ['a program that calls itself a PDF', 'MZ\x90\0\x03', { 'content-type': 'application/pdf' }],
    ['nothing', '', { 'content-type': 'image/png' }],
    ['text that turns out to be none', `${'x'.repeat(100_000)}\0`, { 'content-type': 'text/plain' }],
    ['UTF-16 that ends in the middle of a character', '\xff\xfea\0b', { 'content-type': 'text/plain' }],
  ])('is refused when it is %s', async (_what, bytes, headers) => {
    const url = files.serve('/lying', Buffer.from(bytes, 'latin1'), headers)
    expect(await refusal(url)).toBe('SEND_FILE_TYPE_NOT_ALLOWED')
  })

  it.each([404, 403, 500, 204, 206, 304])('is unreachable when its server responds with %i', async (status) => {
    const url = files.on('/status', (response) => response.writeHead(status).end())
    expect(await refusal(url)).toBe('SEND_FILE_URL_UNREACHABLE')
  })

  it('is unreachable when its server breaks off, or says another length', async () => {
    const broken = files.on('/broken', (response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write(samples.pdf, () => response.destroy())
    })
    expect(await refusal(broken)).toBe('SEND_FILE_URL_UNREACHABLE')
  })

  it('says nothing of its server in a refusal', async () => {
    const url = files.on('/secret', (response) => response.writeHead(500, { 'x-secret': 'k' }).end('secret words'))
    const closed = 'http://127.0.0.1:9/'
    const words = await Promise.all(
      [url, closed, 'http://10.0.0.1/', 'http://nowhere.invalid/'].map((one) =>
        media
          .withFile(link(one), async () => '')
          .catch((error: ApiError) => JSON.stringify([error.message, error.details])),
      ),
    )
    expect(new Set(words).size).toBe(1)
  })
})

describe('what is too large', () => {
  it.each([
    ['image', 16],
    ['video', 16],
    ['voice', 16],
    ['file', 100],
  ] as const)('as %s is refused by its length, before its first byte: one byte above %i MiB', async (kind, max) => {
    let requests = 0
    const url = files.on('/large', (response) => {
      requests += 1
      response.writeHead(200, { 'content-length': max * mib + 1 })
      response.flushHeaders()
    })
    expect(await refusal(url, { kind })).toBe('SEND_FILE_TOO_LARGE')
    expect(requests).toBe(1)
  })

  it('is refused when it claims 10 GB', async () => {
    const url = files.on('/huge', (response) => {
      response.writeHead(200, { 'content-length': 10_000_000_000, 'content-type': 'application/pdf' })
      response.write(samples.pdf)
    })
    const error = await media.withFile(link(url), async () => undefined).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'SEND_FILE_TOO_LARGE', status: 413, details: { maxBytes: 100 * mib } })
  })

  it('is refused when it never ends, and read no further than that', async () => {
    let poured: Promise<number> = Promise.resolve(0)
    const url = files.on('/endless', (response) => {
      response.writeHead(200)
      response.write(samples.mp4)
      poured = pour(response, 1024 * mib)
    })
    expect(await refusal(url, { kind: 'video' })).toBe('SEND_FILE_TOO_LARGE')
    expect(await poured).toBeLessThan(64 * mib)
  })

  it('costs no memory: 100 MiB pass through while the heap stays as it is', async () => {
    const url = files.on('/full', (response) => {
      response.writeHead(200, { 'content-length': 100 * mib })
      void pour(response, 100 * mib)
    })
    global.gc?.()
    const before = process.memoryUsage()
    let most = 0
    const watch = setInterval(() => {
      const { heapUsed, external } = process.memoryUsage()
      most = Math.max(most, heapUsed + external - before.heapUsed - before.external)
    }, 5)
    const sizeBytes = await media.withFile(link(url), async (file) => {
      let read = 0
      for await (const chunk of file.bytes() as AsyncIterable<Buffer>) read += chunk.length
      expect(read).toBe(100 * mib)
      return file.sizeBytes
    })
    clearInterval(watch)
    expect(sizeBytes).toBe(100 * mib)
    expect(most).toBeLessThan(48 * mib)
  })

  it('when unpacked is never unpacked: a small bomb is refused for what it is', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * mib))
    const packed = files.serve('/bomb.txt', bomb, { 'content-encoding': 'gzip', 'content-type': 'text/plain' })
    expect(await refusal(packed)).toBe('SEND_FILE_TYPE_NOT_ALLOWED')
    expect(await refusal(files.serve('/bomb', bomb))).toBe('SEND_FILE_TYPE_NOT_ALLOWED')
  })
})

describe('what takes too long', () => {
  it.each([
    ['an answer that does not come', () => undefined],
    ['a body that does not come', (response: ServerResponse) => void response.writeHead(200).flushHeaders()],
    [
      'a body that drips',
      (response: ServerResponse) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write('%'), 5)
        response.once('close', () => clearInterval(drip))
      },
    ],
  ])('is unreachable at the deadline: %s', async (_what, answer) => {
    const hasty = await opened({ deadlineMs: 150 })
    const began = performance.now()
    expect(await refusal(files.on('/slow', answer), {}, hasty)).toBe('SEND_FILE_URL_UNREACHABLE')
    expect(performance.now() - began).toBeLessThan(5000)
  })

  it('is given up when the caller is gone', async () => {
    const caller = new AbortController()
    const url = files.on('/left', () => caller.abort())
    expect(await refusal(url, { signal: caller.signal })).toBe('SEND_FILE_URL_UNREACHABLE')
  })

  it('holds no slot for ever: with all slots taken others get SERVICE_BUSY', async () => {
    const one = await opened({ deadlineMs: 10_000, downloadSlots: { limit: 1, perKey: 1, maxQueued: 1, waitMs: 20 } })
    const caller = new AbortController()
    const inside = new Promise<void>((resolve) => void files.on('/held', () => resolve()))
    const held = one.withFile(link(`${files.address}/held`, { signal: caller.signal }), async () => undefined)
    await inside
    const busy = await one
      .withFile(link(files.serve('/c.pdf', samples.pdf), { organizationId: 'two' }), async () => undefined)
      .catch((thrown) => thrown)
    expect(busy).toMatchObject({ code: 'SERVICE_BUSY', details: { outcome: 'not_sent', retryAfterSeconds: 5 } })
    caller.abort()
    await expect(held).rejects.toMatchObject({ code: 'SEND_FILE_URL_UNREACHABLE' })
    await expect(one.withFile(link(files.serve('/c.pdf', samples.pdf)), async () => 'yes')).resolves.toBe('yes')
  })
})

describe('a redirect', () => {
  const to = (path: string, location: string, status = 302) =>
    files.on(path, (response) => response.writeHead(status, { location }).end())

  it.each([301, 302, 303, 307, 308])('with %i is followed', async (status) => {
    files.serve('/target.pdf', samples.pdf)
    const file = await media.withFile(link(to('/from', '/target.pdf', status)), async (one) => one)
    expect(file.mimetype).toBe('application/pdf')
  })

  it('is followed three times and no more', async () => {
    files.serve('/end.pdf', samples.pdf)
    const three = [to('/r1', '/end.pdf'), to('/r2', '/r1'), to('/r3', '/r2')].at(-1) ?? ''
    await expect(media.withFile(link(three), async () => 'yes')).resolves.toBe('yes')
    expect(await refusal(to('/r4', '/r3'))).toBe('SEND_FILE_URL_UNREACHABLE')
    expect(await refusal(to('/loop', '/loop'))).toBe('SEND_FILE_URL_UNREACHABLE')
  })

  it.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://2130706434/',
    'http://user:pw@127.0.0.1/',
    'ftp://127.0.0.1/a.pdf',
    'file:///etc/passwd',
    'data:application/pdf,x',
    'http://127.0.0.1:22/',
    'http://',
  ])('to %s is not', async (location) => {
    expect(await refusal(to('/bad', location))).toBe('SEND_FILE_URL_UNREACHABLE')
  })

  it('to a name that resolves to a private address is not', async () => {
    const answers: Record<string, string[]> = {
      'inside.example': ['10.0.0.1'],
      'mixed.example': ['127.0.0.1', '10.0.0.1'],
    }
    const fetch = openPublicFetch(['127.0.0.1/32'], async (name) => answers[name] ?? [])
    const through = await opened({ fetch })
    for (const name of Object.keys(answers)) {
      expect(await refusal(to('/inside', `http://${name}:8080/`), {}, through)).toBe('SEND_FILE_URL_UNREACHABLE')
      expect(await refusal(`http://${name}:8080/`, {}, through)).toBe('SEND_FILE_URL_UNREACHABLE')
    }
  })

  it('without a target is a response like any other', async () => {
    const url = files.on('/nowhere', (response) => response.writeHead(302).end())
    expect(await refusal(url)).toBe('SEND_FILE_URL_UNREACHABLE')
  })
})
