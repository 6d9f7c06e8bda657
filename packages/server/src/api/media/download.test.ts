import { PublicFetchError } from '@msgctl/network/public-address/failure'
import { pino } from 'pino'
import { expect, it, vi } from 'vitest'
import { download } from './download.ts'
import { mediaRules } from './rule.ts'

it('gives the cause of a link that cannot be reached to the log only', async () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:80'), { code: 'ECONNREFUSED' })
  const fetch = Object.assign(() => Promise.reject(new PublicFetchError('unreachable', { cause })), {
    close: async () => {},
  })
  const log = pino({ level: 'silent' })
  const info = vi.spyOn(log, 'info')
  const request = {
    url: 'https://files.example.com/a.png',
    name: null,
    rule: mediaRules.image,
    file: '/nonexistent',
    deadlineMs: 1000,
    userAgent: 'test',
    signal: new AbortController().signal,
  }
  const thrown = await download(request, { fetch, log }).catch((error: unknown) => error)
  expect(thrown).toMatchObject({ code: 'SEND_FILE_URL_UNREACHABLE' })
  expect(String(thrown)).not.toContain('10.0.0.1')
  const fields = { event: 'download_failed', cause: 'connect ECONNREFUSED 10.0.0.1:80' }
  expect(info.mock.calls.map(([first]) => first)).toContainEqual(expect.objectContaining(fields))
})
