import { listErrors } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { startTestServer } from '#testing/start-server.ts'
import { type Answer, call, type Sent } from './call.ts'
import { expectedRefusal, type Refusal } from './expected-gate.ts'
import { goodInput } from './good-input.ts'
import { type MountedRoute, mounted } from './mounted.ts'
import { type Credential, credentials, fewSituations, makeCaller, type Situation, situations } from './people.ts'

const server = await startTestServer({ worker: false })

/** Routes that take no input which could be refused and that use up the credential they are called with. */
const consuming = new Set(['account.regenerateKey', 'auth.signOut'])
const gateCodes = [
  'AUTH_ERROR',
  'ACCOUNT_DEACTIVATED',
  'TWO_FACTOR_REQUIRED',
  'NOT_OWNER',
  'NUMBER_KEY_SCOPE',
  'USER_REQUIRED',
  'ADMIN_ONLY',
  'ROLE_FORBIDDEN',
]
const productCodes = ['NO_ACTIVE_PRODUCT', 'PRODUCT_REQUIRED']

/** Input that the check right behind the gate refuses, so that a caller who passes changes nothing. */
function refusable(
  route: MountedRoute,
  credential: Credential = 'account key',
): { sent: Sent; refusedWith: string | null } {
  const { body, query } = route.route
  const good = goodInput(route)
  if (body) return { sent: { ...good, body: '{' }, refusedWith: 'INVALID_JSON' }
  if (route.ids.length > 0) {
    return { sent: { params: Object.fromEntries(route.ids.map((id) => [id, 'no-id'])) }, refusedWith: 'INVALID_ID' }
  }
  // A number's key uses its own number: whatever stands in containerId is ignored.
  const read = Object.keys(query?.shape ?? {}).filter((field) => credential !== 'number key' || field !== 'containerId')
  const twice = read.map((field) => [field, ['a', 'b']])
  if (twice.length > 0) return { sent: { ...good, query: Object.fromEntries(twice) }, refusedWith: 'VALIDATION_ERROR' }
  return { sent: good, refusedWith: null }
}

const made = new Map<string, Promise<Readonly<Record<string, string>>>>()

function callerFor(route: MountedRoute, situation: Situation, credential: Credential) {
  if (consuming.has(route.name)) return makeCaller(server, situation, credential)
  const who = `${situation.what}, ${credential}`
  const caller = made.get(who) ?? makeCaller(server, situation, credential)
  made.set(who, caller)
  return caller
}

/** What is wrong with an answer; undefined when nothing is. */
function fault(
  route: MountedRoute,
  { status, error }: Answer,
  expected: Refusal | null,
  credential: Credential,
): string | undefined {
  const observed = `${status} ${error?.code ?? ''} ${JSON.stringify(error?.details ?? {})}`
  if (expected) {
    const same = error?.code === expected.code && JSON.stringify(error.details) === JSON.stringify(expected.details)
    return same ? undefined : `expected ${expected.code} ${JSON.stringify(expected.details ?? {})}, got ${observed}`
  }
  const { refusedWith } = refusable(route, credential)
  if (refusedWith !== null) return error?.code === refusedWith ? undefined : `expected ${refusedWith}, got ${observed}`
  if (error === undefined) return status === route.route.status ? undefined : `got ${observed}`
  const behind = listErrors(route.route).filter((code) => ![...gateCodes, ...productCodes].includes(code))
  const failed = error.code === 'INTERNAL_ERROR' || error.code === 'SERVICE_BUSY'
  return !failed && behind.some((code) => code === error.code) ? undefined : `did not pass: ${observed}`
}

const table = mounted.map((route) => [route.name, route] as const)
/** The first route of each kind of access, which meets all that gates distinguish: only the access decides. */
const firstOfAccess = new Map(mounted.toReversed().map((route) => [JSON.stringify(route.route.access), route]))
const isFirst = (route: MountedRoute) => firstOfAccess.get(JSON.stringify(route.route.access)) === route
/** The others show that they are behind a gate, and that it is theirs. */
const briefSituations = fewSituations.filter(
  ({ what, deactivated }) => deactivated || ['every product', 'no product'].includes(what),
)

function situationsOf(route: MountedRoute): readonly Situation[] {
  if (!isFirst(route)) return briefSituations
  return route.route.access.feature ? situations : fewSituations
}

const gated = table.filter(([, { route }]) => route.access.keys !== 'public')

describe('the gate of every mounted route', () => {
  it.each(table)('%s admits callers as the contract says, and gives all others the reason', async (_name, route) => {
    const faults = await Promise.all(
      situationsOf(route).flatMap((situation) =>
        credentials.map(async (credential) => {
          const headers = await callerFor(route, situation, credential)
          const answer = await call(server, route, { ...refusable(route, credential).sent, headers })
          const wrong = fault(route, answer, expectedRefusal(route.route, situation, credential), credential)
          return wrong === undefined ? [] : [`${credential}, ${situation.what}: ${wrong}`]
        }),
      ),
    )
    expect(faults.flat()).toEqual([])
  })
})

const unknownKey = `msk_${'0'.repeat(64)}`
const strangers: [who: string, headers: Record<string, string>, reason: string][] = [
  ['no key', {}, 'missing_credentials'],
  ['an empty key', { 'x-api-key': '' }, 'missing_credentials'],
  ['an unknown account key', { 'x-api-key': unknownKey }, 'invalid_api_key'],
  ['an unknown number key', { 'x-api-key': `msn_${'0'.repeat(64)}` }, 'invalid_api_key'],
  ['a malformed key', { 'x-api-key': 'msk_' }, 'invalid_api_key'],
  ['a very long key', { 'x-api-key': 'k'.repeat(8000) }, 'invalid_api_key'],
  ['an unknown token', { authorization: `Bearer ${'x'.repeat(43)}` }, 'invalid_session'],
  ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }, 'invalid_session'],
  ['a malformed token', { authorization: 'Bearer not a token' }, 'invalid_session'],
]

describe('a stranger', () => {
  it.each(gated)('learns nothing of %s but that credentials are missing', async (_name, route) => {
    await Promise.all(
      (isFirst(route) ? strangers : strangers.slice(0, 1)).map(async ([who, headers, reason]) => {
        const { error } = await call(server, route, { ...refusable(route).sent, headers })
        expect([who, error?.code, error?.details, error?.issues]).toEqual([who, 'AUTH_ERROR', { reason }, undefined])
      }),
    )
    const { error } = await call(server, route, goodInput(route))
    expect(error).toMatchObject({ code: 'AUTH_ERROR', details: { reason: 'missing_credentials' } })
  })

  it.each(gated)(
    'cannot reach %s with a wrong key beside a good token, nor with a key as a token',
    async (_name, route) => {
      const [everything] = situations
      if (!everything) throw new Error('there is no situation')
      const owner = await callerFor(route, everything, 'owner')
      const key = (await callerFor(route, everything, 'account key'))['x-api-key']
      const { sent } = refusable(route)
      const [wrongKey, keyAsToken] = await Promise.all([
        call(server, route, { ...sent, headers: { ...owner, 'x-api-key': unknownKey } }),
        call(server, route, { ...sent, headers: { authorization: `Bearer ${key}` } }),
      ])
      expect(wrongKey.error?.details).toEqual({ reason: 'invalid_api_key' })
      expect(keyAsToken.error?.details).toEqual({ reason: 'invalid_session' })
    },
  )
})
