import { describe, expect, it } from 'vitest'
import { contract } from './contract.ts'
import type { Route } from './route.ts'
import { endpointTraits, traits } from './traits.ts'

const routes = Object.values(contract).flatMap((table) => Object.values(table as Record<string, Route>))

describe('the traits of endpoints', () => {
  it('belong to endpoints of the contract, and are the ones that its routes carry', () => {
    const known = new Set<string>(routes.map(({ endpoint }) => endpoint))
    expect(Object.keys(traits).filter((endpoint) => !known.has(endpoint))).toEqual([])
    for (const route of routes) {
      const { idempotent, stream, upload, download } = endpointTraits(route.endpoint)
      const carried = {
        idempotent: route.idempotent === true,
        stream: route.stream === true,
        upload: route.upload === true,
        download: route.download === true,
      }
      expect(carried, route.endpoint).toEqual({ idempotent, stream, upload, download })
    }
  })

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
