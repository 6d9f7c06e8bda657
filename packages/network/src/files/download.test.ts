import { createCipheriv, createHash, createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { limits } from '@msgctl/contract'
import { Agent, fetch } from 'undici'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Json } from '../gateway.ts'
import { openPublicFetch, type PublicFetch, type PublicRequest } from '../public-address/fetch.ts'
import { onlyListed } from '../public-address/listed-origins.ts'
import { privateHosts } from '../testing/private-hosts.ts'
import { maxFileBytes } from '../wire.ts'
import { deriveFileKeys } from './decryption.ts'
import { downloadFile } from './download.ts'
import { networkFileHosts, testFileHosts } from './hosts.ts'
import { type FileKind, toStoredReference } from './reference.ts'

const mediaKey = Buffer.from(Array.from({ length: 32 }, (_, index) => index))
const photo = Buffer.from('the bytes of a photo'.repeat(10_000))
const directPath = '/v/t62/photo'
const ends: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(ends.map((end) => end())))

/** Starts a server on this machine, which counts its connections. */
async function listening(respond: RequestListener, address = '127.0.0.1') {
  let connections = 0
  const server = createServer(respond).on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  ends.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

const lookups: string[] = []
const network = openPublicFetch([], async (name) => {
  lookups.push(name)
  return []
})
ends.push(network.close)
beforeEach(() => {
  lookups.length = 0
})

function encrypt(bytes: Buffer, kind: FileKind = 'image') {
  const { iv, cipherKey, macKey } = deriveFileKeys(mediaKey, kind)
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const encrypted = Buffer.concat([cipher.update(bytes), cipher.final()])
  const mac = createHmac('sha256', macKey).update(iv).update(encrypted).digest().subarray(0, 10)
  return Buffer.concat([encrypted, mac])
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

/** Returns what is stored of a photo, with hashes of it. */
function stored(fileEncSha256: Buffer | null = hash(encrypt(photo)), fileSha256: Buffer | null = hash(photo)): Json {
  return toStoredReference('image', { mimetype: 'image/png', directPath, mediaKey, fileSha256, fileEncSha256 })
}

/** What a sender can write to name a private address, in the place of the address or the path of a file. */
function spellingsOf(port: number): { readonly url: string | null; readonly directPath: string | null }[] {
  const urls = privateHosts.flatMap((host) => [`http://${host}:${port}/_search?size=1`, `https://${host}:${port}/x`])
  const paths = privateHosts.flatMap((host) => [`@${host}:${port}/x`, `//${host}:${port}/x`, `.${host}:${port}/x`])
  const others = [`http://127.0.0.1:${port}/redirect`, `//user:pw@127.0.0.1:${port}/`, `http:127.0.0.1:${port}`]
  return [
    ...[...urls, ...others].map((url) => ({ url, directPath: null })),
    ...urls.map((url) => ({ url, directPath: '/v/t62' })),
    ...[...urls, ...paths, `/v/..//127.0.0.1:${port}/`, `/\\\\127.0.0.1:${port}/`, `:${port}/x`].map((directPath) => ({
      url: null,
      directPath,
    })),
  ]
}

describe('where a sender cannot lead a gateway host', () => {
  it('a private address, in none of more than 60 spellings, as the address or the path of a file', async () => {
    const canary = await listening((_request, response) => response.end('private'), '::')
    const raw = { kind: 'image', mimetype: 'image/png', mediaKey: mediaKey.toString('base64') }
    const source = { fetch: network, hosts: networkFileHosts }
    const spellings = spellingsOf(canary.port)
    for (const spelling of spellings) {
      await downloadFile({ ...raw, ...spelling }, source).catch((error: { kind: string }) =>
        expect(error.kind, JSON.stringify(spelling)).toBe('unreachable'),
      )
    }
    // Not even the names are looked up.
    expect(lookups.filter((name) => name !== networkFileHosts.host)).toEqual([])
    const request = { method: 'GET', headers: {}, deadlineMs: 5000, maxBytes: 10, maxRedirects: 0 } as const
    for (const { url, directPath } of spellings) {
      await network({ ...request, url: url ?? `https://${networkFileHosts.host}${directPath}` }).catch(() => undefined)
    }
    expect(spellings.length).toBeGreaterThan(60)
    expect(canary.connections()).toBe(0)
  })

  it('a redirect of the file host', async () => {
    const canary = await listening((_request, response) => response.end(encrypt(photo)))
    const location = `http://127.0.0.1:${canary.port}/`
    const host = await listening((_request, response) => response.writeHead(302, { location }).end())
    await expect(downloadFile(stored(), sourceAt(host.port))).rejects.toMatchObject({ kind: 'unreachable' })
    expect([host.connections(), canary.connections()]).toEqual([1, 0])
  })

  it('what the client library fetches by itself, and where that redirects', async () => {
    const canary = await listening((_request, response) => response.end('private'))
    const host = await listening((_request, response) =>
      response.writeHead(302, { location: `http://localhost:${canary.port}/` }).end(),
    )
    const agent = new Agent()
    ends.push(() => agent.destroy())
    const dispatcher = onlyListed(agent, (origin) => origin === `http://localhost:${host.port}`)
    for (const port of [host.port, canary.port]) {
      const failure = await fetch(`http://localhost:${port}/`, { dispatcher }).catch((error: Error) => error)
      expect(failure).toMatchObject({ cause: { name: 'RefusedAddressError' } })
    }
    expect([host.connections(), canary.connections()]).toEqual([1, 0])
  })
})

const open = openPublicFetch(['127.0.0.1/32'])
ends.push(open.close)

/** A file host on this machine, without TLS. */
function sourceAt(port: number) {
  const plain = (request: PublicRequest) => open({ ...request, url: request.url.replace(/^https:/, 'http:') })
  return { fetch: plain as PublicFetch, hosts: testFileHosts(`localhost:${port}`) }
}

/** Downloads a file from a host that responds with these bytes. */
async function download(reference: Json, bytes: Buffer): Promise<Buffer | null> {
  const host = await listening((_request, response) => response.end(bytes))
  const file = await downloadFile(reference, sourceAt(host.port))
  return file && buffer(file)
}

const changed = (bytes: Buffer, at: number) => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy.at(at) ?? 0) ^ 1
  return copy
}

describe('a file', () => {
  it('is decrypted, with its hashes in the message and without', async () => {
    expect((await download(stored(), encrypt(photo)))?.equals(photo)).toBe(true)
    expect((await download(stored(null, null), encrypt(photo)))?.equals(photo)).toBe(true)
    expect((await download(stored(null, null), encrypt(Buffer.alloc(0))))?.length).toBe(0)
  })

  it('leaves nothing in the folder of temporary files, also while it is read', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'temporary-'))
    vi.stubEnv('TMPDIR', folder)
    const host = await listening((_request, response) => response.end(encrypt(photo)))
    const file = await downloadFile(stored(), sourceAt(host.port))
    expect(readdirSync(folder)).toEqual([])
    file?.destroy()
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })

  it.each<[FileKind, string]>([
    ['image', 'qmoSchg5fL0jg+TM9xdqeQ=='],
    ['sticker', 'qmoSchg5fL0jg+TM9xdqeQ=='],
    ['video', '8d7leCzE4uewcjOx4l3lmw=='],
    ['audio', 'E/iTVwnCDi6LBoD4Gw3V+w=='],
    ['document', 'JenTcIBN4Lsz6l23lFPbZg=='],
  ])('of the kind %s has the keys that clients of the network derive', (kind, iv) => {
    expect(deriveFileKeys(mediaKey, kind).iv.toString('base64')).toBe(iv)
  })

  const refused = { kind: 'rejected', outcome: 'not_sent' }
  const whole = encrypt(photo)
  it.each([
    ['its first byte', changed(whole, 0)],
    ['a byte in the middle', changed(whole, 100_000)],
    ['its MAC', changed(whole, whole.length - 1)],
    ['its length', whole.subarray(0, -16)],
    ['everything but its MAC', whole.subarray(-10)],
    ['everything', Buffer.alloc(0)],
  ])('is refused before its first byte when the host changed %s', async (_, bytes) => {
    await expect(download(stored(null, null), bytes)).rejects.toMatchObject(refused)
  })

  it('is refused when its MAC is right and a hash of its message is not', async () => {
    const other = hash(Buffer.from('another file'))
    await expect(download(stored(other, null), whole)).rejects.toMatchObject(refused)
    await expect(download(stored(null, other), whole)).rejects.toMatchObject(refused)
  })

  it('is null when the network no longer keeps it, and unreachable for every other status', async () => {
    let status = 200
    const host = await listening((_request, response) => response.writeHead(status).end())
    for (status of [403, 404, 410]) expect(await downloadFile(stored(), sourceAt(host.port))).toBeNull()
    for (status of [401, 500, 204]) {
      await expect(downloadFile(stored(), sourceAt(host.port))).rejects.toMatchObject({ kind: 'unreachable' })
    }
  })

  it('is as large as the service hands out, and no larger', async () => {
    expect(maxFileBytes).toBe(limits.attachmentBytes)
    const host = await listening((_request, response) => response.end(whole))
    const { fetch: get, hosts } = sourceAt(host.port)
    let mostBytes = 0
    const small = (request: PublicRequest) => {
      mostBytes = request.maxBytes
      return get({ ...request, maxBytes: whole.length - 1 })
    }
    await expect(downloadFile(stored(), { fetch: small, hosts })).rejects.toMatchObject(refused)
    expect(mostBytes - maxFileBytes).toBe(26)
  })
})
