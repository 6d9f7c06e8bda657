import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { startFileServer } from '#testing/file-server.ts'
import { samples } from '#testing/sample-files.ts'
import { type MediaLink, openMedia } from './media.ts'

const files = await startFileServer()
const media = await openMedia({
  allowPrivateTargets: ['127.0.0.1/32'],
  serviceName: 'Test',
  log: pino({ level: 'silent' }),
})
afterAll(() => media.close())

function link(url: string, claims: Pick<MediaLink, 'filename' | 'mimetype'>): MediaLink {
  return { organizationId: 'one', kind: 'file', url, signal: new AbortController().signal, ...claims }
}

describe('a file that its caller or its server describes', () => {
  it.each([
    ['webp', 'a.exe', 'image/svg+xml', 'a.exe.webp', 'image/webp'],
    ['webp', 'photo.jpg', 'image/jpeg', 'photo.jpg.webp', 'image/webp'],
    ['csv', 'list.csv', 'text/html', 'list.csv', 'text/csv'],
    ['text', 'notes', 'text/calendar', 'notes.txt', 'text/plain'],
    ['pdf', 'report', 'application/x-pdf', 'report.pdf', 'application/x-pdf'],
  ] as const)('of %s bytes, named %s as %s, is sent as %s, %s', async (sample, filename, mimetype, name, type) => {
    const url = files.serve(`/contradicted-${sample}`, samples[sample])
    const file = await media.withFile(link(url, { filename, mimetype }), async (one) => one)
    expect(file).toMatchObject({ filename: name, mimetype: type })
  })

  it.each([
    ['a web page by its type', '/page', 'text/html; charset=utf-8', undefined],
    ['a web page by its name', '/page.html', 'text/plain', undefined],
    ['a script by its type', '/code', 'Text/JavaScript', undefined],
    ['a script by its name', '/start.bat', 'text/plain', undefined],
    ['a script by the name of the caller', '/notes.txt', 'text/plain', 'start.ps1'],
    ['a script by a name with dots behind it', '/notes.txt', 'text/plain', 'start.JS. .'],
  ])('is refused as text when it is %s', async (_what, path, type, filename) => {
    const url = files.serve(path, Buffer.from('Hello there,\nthis is harmless.\n'), { 'content-type': type })
    const sent = media.withFile(link(url, { filename }), async () => 'sent')
    await expect(sent).rejects.toMatchObject({ code: 'SEND_FILE_TYPE_NOT_ALLOWED' })
  })
})
