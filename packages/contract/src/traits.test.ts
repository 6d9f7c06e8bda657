import { describe, expect, it } from 'vitest'
import { endpointTraits } from './traits.ts'

describe('the traits of endpoints', () => {
  const plain = { upload: false, download: false }

  it.each([
    ['GET /me', { reads: true, idempotent: false, stream: false, ...plain }],
    ['GET /events/stream', { reads: true, idempotent: false, stream: true, ...plain }],
    ['POST /alert/send', { reads: false, idempotent: true, stream: false, ...plain }],
    ['POST /alert/validate', { reads: true, idempotent: false, stream: false, ...plain }],
    ['POST /recipients/validate', { reads: true, idempotent: false, stream: false, ...plain, timeoutMs: 60_000 }],
    [
      'POST /media',
      { reads: true, idempotent: false, stream: false, upload: true, download: false, timeoutMs: 60_000 },
    ],
    ['DELETE /reminders/:id', { reads: false, idempotent: false, stream: false, ...plain }],
    ['POST /not-in-the-contract', { reads: false, idempotent: false, stream: false, ...plain }],
    ['GET toString', { reads: true, idempotent: false, stream: false, ...plain }],
  ])('of %s are %o', (endpoint, expected) => {
    expect(endpointTraits(endpoint)).toEqual(expected)
  })
})
