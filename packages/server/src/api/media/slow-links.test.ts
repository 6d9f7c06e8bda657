import { pino } from 'pino'
import { expect, it } from 'vitest'
import { ApiError } from '#platform/errors.ts'
import { startFileServer } from '#testing/file-server.ts'
import { samples } from '#testing/sample-files.ts'
import { type MediaLink, openMedia } from './media.ts'

it('slow links of many organizations do not block another one, and the latest of them get SERVICE_BUSY', async () => {
  const files = await startFileServer()
  const media = await openMedia(
    { allowPrivateTargets: ['127.0.0.1/32'], serviceName: 'Test', log: pino({ level: 'silent' }) },
    { downloadSlots: { limit: 2, perKey: 2, maxQueued: 20, waitMs: 5000, slow: { limit: 2, afterMs: 100 } } },
  )
  files.on('/held', (response) => void response.writeHead(200).flushHeaders())
  const caller = new AbortController()
  const link = (organizationId: string, url: string): MediaLink => {
    return { organizationId, kind: 'file', url, signal: caller.signal }
  }
  const slow = ['a', 'a', 'b', 'b', 'c', 'c'].map((organizationId) =>
    media
      .withFile(link(organizationId, `${files.address}/held`), async () => 'sent')
      .catch((error: unknown) => (error instanceof ApiError ? error.code : error)),
  )
  const brisk = link('brisk', files.serve('/c.pdf', samples.pdf))
  await expect(media.withFile(brisk, async () => 'sent')).resolves.toBe('sent')
  caller.abort()
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['SERVICE_BUSY', 'SEND_FILE_URL_UNREACHABLE']))
  await media.close()
})
