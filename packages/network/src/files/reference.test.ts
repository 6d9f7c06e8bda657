import { describe, expect, it } from 'vitest'
import { networkFileHosts, testFileHosts } from './hosts.ts'
import { isFilePath, readReference, toStoredReference } from './reference.ts'

const mediaKey = Buffer.alloc(32, 1)
const directPath = '/v/t62.7118-24/30514562_n.enc?ccb=11-4&oh=01_Q5Aa&oe=66F0&_nc_sid=5e03e0'
const sent = { mimetype: 'image/png', directPath, mediaKey, fileSha256: Buffer.alloc(32, 2) }
const stored = {
  kind: 'image',
  mimetype: 'image/png',
  directPath,
  mediaKey: mediaKey.toString('base64'),
  sha256: Buffer.alloc(32, 2).toString('base64'),
  encryptedSha256: null,
}

describe('the path of a file', () => {
  it.each([directPath, '/m1/v/t24/An-x_y~z.enc?ccb=9%2D4', '/a/./b'])('may be %s', (path) => {
    expect(isFilePath(path)).toBe(true)
  })

  it.each([
    '.evil.example/x',
    '@evil.example/x',
    ':1@evil.example/x',
    '//evil.example/x',
    'https://evil.example/x',
    '/v/../x',
    '/v/%2E%2e/x',
    '/v\\x',
    '/v/x#y',
    '/v/x y',
    '/v/x\r\nHost: evil.example',
    '/v/\u0000',
    '/',
    '',
    `/${'x'.repeat(2000)}`,
  ])('may not be %j', (path) => {
    expect(isFilePath(path)).toBe(false)
    expect(toStoredReference('image', { ...sent, directPath: path })).toBeNull()
    expect(readReference({ ...stored, directPath: path })).toBeNull()
  })
})

describe('what is stored of a file', () => {
  it('is its path, its key and its hashes, and never an address', () => {
    const message = { ...sent, url: 'http://127.0.0.1:9200/' }
    expect(toStoredReference('image', message)).toEqual(stored)
    expect(readReference(stored)).toEqual({
      kind: 'image',
      path: directPath,
      mediaKey,
      sha256: Buffer.alloc(32, 2),
      encryptedSha256: null,
    })
  })

  it.each<[string, object]>([
    ['no path', { directPath: null }],
    ['no key', { mediaKey: null }],
    ['an empty key', { mediaKey: Buffer.alloc(0) }],
    ['a long key', { mediaKey: Buffer.alloc(33) }],
    ['a short hash', { fileSha256: Buffer.alloc(31) }],
    ['a long hash of the encrypted file', { fileEncSha256: Buffer.alloc(64) }],
  ])('is nothing with %s', (_, change) => {
    expect(toStoredReference('image', { ...sent, ...change })).toBeNull()
  })

  it('of earlier releases is read without its address', () => {
    const { sha256: _, encryptedSha256: __, ...earlier } = { ...stored, url: 'http://127.0.0.1/' }
    expect(readReference(earlier)).toMatchObject({ path: directPath, sha256: null })
    expect(readReference({ ...earlier, directPath: null })).toBeNull()
  })

  it.each([null, 7, 'text', [], {}, { ...stored, kind: 'md-app-state' }, { ...stored, mediaKey: 7 }])(
    'cannot be read from %j',
    (other) => {
      expect(readReference(other)).toBeNull()
    },
  )
})

describe('the file hosts', () => {
  it.each(['mmg', 'media-fra3-1.cdn', 'media-fra3-2.cdn', 'media-arn2-1.cdn'])('of the network have %s', (name) => {
    expect(networkFileHosts.serves(`https://${name}.whatsapp.net`)).toBe(true)
  })

  it.each([
    'http://mmg.whatsapp.net',
    'https://mmg.whatsapp.net:8443',
    'https://mmg.whatsapp.net.evil.example',
    'https://evil.example',
    'https://media-fra3-1.cdn.whatsapp.net.evil.example',
    'https://xmmg.whatsapp.net',
    'https://a.media-x.cdn.whatsapp.net',
    'https://127.0.0.1',
    '',
  ])('of the network do not have %s', (origin) => {
    expect(networkFileHosts.serves(origin)).toBe(false)
  })

  it('of a test network are one', () => {
    const hosts = testFileHosts('localhost:4000')
    const origins = ['https://localhost:4000', 'https://localhost:4001', 'https://mmg.whatsapp.net']
    expect(origins.map(hosts.serves)).toEqual([true, false, false])
  })
})
