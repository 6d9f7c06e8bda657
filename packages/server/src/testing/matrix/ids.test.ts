import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeNumber, makeNumberKey } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { type Answer, call } from './call.ts'
import { goodInput, idKind, type KnownIds } from './good-input.ts'
import { type MountedRoute, mounted, mountedAs } from './mounted.ts'
import { makeOtherTenant } from './other-tenant.ts'
import { watchStored } from './stored.ts'

const server = await startTestServer({ worker: false, env: { PAYMENTS: 'simulated' } })
await server.services.clock.freeze()
const own = await makeOtherTenant(server)
const neighbour = await makeOtherTenant(server)
const stored = await watchStored(server.db)

const named = (routes: readonly MountedRoute[]) => routes.map((route) => [route.name, route] as const)
// A request of an AI client belongs to a browser, not to an organization, and staff read every organization.
const ofOrganizations = mounted.filter(({ name, route }) => !name.startsWith('oauth.') && !route.access.platform)
const withIds = named(ofOrganizations.filter(({ ids }) => ids.length > 0))
const withContainer = (['query', 'body'] as const).flatMap((place) =>
  ofOrganizations
    .filter(({ route }) => 'containerId' in (route[place]?.shape ?? {}))
    .map((route) => [route.name, route, place] as const),
)

/** What an answer says, without what differs in every answer. */
function words({ status, error }: Answer) {
  return { status, code: error?.code, message: error?.message, details: error?.details }
}

/** Calls a route with these ids, and returns the response and the statements that the service ran for it. */
async function observed(route: MountedRoute, ids: KnownIds): Promise<{ answer: Answer; statements: string[] }> {
  const statements: string[] = []
  const record = ({ sql }: { sql: string }) => {
    // The processes that follow the clock query it at any time.
    if (!sql.includes('from service_clock')) statements.push(sql)
  }
  server.services.db.on('query', record)
  try {
    return { answer: await call(server, route, { ...goodInput(route, ids), headers: own.owner }), statements }
  } finally {
    server.services.db.off('query', record)
  }
}

const malformed = [
  'no-id',
  '0',
  `${randomUUID()}0`,
  `{${randomUUID()}}`,
  randomUUID().replaceAll('-', ''),
  'x'.repeat(5000),
  '%00',
  '%2e%2e%2f',
  '%ff',
  "'%20or%20'1'='1",
]

describe('an id in a path', () => {
  it.each(withIds)('of %s is refused as INVALID_ID when it is no UUID', async (_name, route) => {
    const good = goodInput(route, own.ids)
    await Promise.all(
      malformed.flatMap((id) =>
        route.ids.map(async (param) => {
          const sent = { ...good, params: { ...good.params, [param]: id }, headers: own.owner }
          const { error } = await call(server, route, sent)
          expect([id, error?.code]).toEqual([id, 'INVALID_ID'])
          expect(error?.message).toContain(param)
        }),
      ),
    )
    await stored.expectNone()
  })

  it.each(withIds)('of %s is one that this test has an example of', (_name, route) => {
    for (const param of route.ids) expect(idKind(route, param)).toBeDefined()
  })

  it.each(withIds)(
    'of %s finds nothing of another organization, in the words for what never was',
    async (_name, route) => {
      const theirs = await observed(route, neighbour.ids)
      const unknown = await observed(route, {})
      expect(theirs.answer.status).toBe(404)
      expect(words(theirs.answer)).toEqual(words(unknown.answer))
      // The same statements take the same time; measuring the time would prove less, and only by chance.
      expect(theirs.statements).toEqual(unknown.statements)
      await stored.expectNone()
    },
  )

  it.concurrent.each(withIds)('of %s finds its own, in capitals too', async (_name, route) => {
    // A change may use up what another route needs.
    const { ids, owner } = route.method === 'GET' ? own : await makeOtherTenant(server)
    const good = goodInput(route, ids)
    const params = Object.fromEntries(Object.entries(good.params ?? {}).map(([key, id]) => [key, id.toUpperCase()]))
    const unknown = await call(server, route, { ...goodInput(route), headers: owner })
    const mine = await call(server, route, { ...good, params, headers: owner })
    expect(unknown.status).toBe(404)
    expect(words(mine)).not.toEqual(words(unknown))
  })
})

describe('a containerId', () => {
  it.each(withContainer)('of %s finds no number of another organization', async (_name, route, place) => {
    await stored.forget()
    const good = goodInput(route, own.ids)
    const [theirs, unknown] = await Promise.all(
      [neighbour.ids.number, randomUUID()].map((containerId) =>
        call(server, route, {
          ...good,
          [place]: { ...(good[place] as object), containerId },
          headers: own.owner,
        }),
      ),
    )
    if (!theirs || !unknown) throw new Error('two calls have two responses')
    expect(words(theirs)).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      message: 'There is no such number.',
      details: undefined,
    })
    expect(words(unknown)).toEqual(words(theirs))
    await stored.expectNone()
  })
})

describe("a number's key", () => {
  const reading = withIds.filter(([, { route, method }]) => route.access.keys === 'any' && method === 'GET')

  it.each(reading)('reads by %s nothing of another number, in the words for what never was', async (_name, route) => {
    const [theirs, unknown, mine] = await Promise.all(
      [neighbour.ids, {}, own.ids].map((ids) =>
        call(server, route, { ...goodInput(route, ids), headers: own.numberKey }),
      ),
    )
    if (!theirs || !unknown) throw new Error('three calls have three responses')
    expect(theirs.status).toBe(404)
    expect(words(theirs)).toEqual(words(unknown))
    // The file of the attachment never was on the network, so it is found and has expired.
    expect(mine?.status).toBe(route.route.download ? 410 : 200)
  })

  it.each(withIds.filter(([name, { route }]) => route.access.keys === 'any' && name.startsWith('campaigns.')))(
    'finds by %s no campaign of another number of its own organization',
    async (_name, route) => {
      const sibling = await makeNumber(server, own)
      const headers = { 'x-api-key': await makeNumberKey(server, own, sibling) }
      const create = mountedAs('campaigns.create')
      const created = await call(server, create, { ...goodInput(create), headers: own.numberKey })
      const campaign = String(JSON.parse(created.text).campaign.id)
      await stored.forget()
      const theirs = await call(server, route, { ...goodInput(route, { campaign }), headers })
      const unknown = await call(server, route, { ...goodInput(route, {}), headers })
      expect(theirs.status).toBe(404)
      expect(words(theirs)).toEqual(words(unknown))
      await stored.expectNone()
    },
  )

  it.each(withIds.filter(([name, { route }]) => route.access.keys === 'any' && name.startsWith('alert.')))(
    'changes by %s no message of another number of its own organization',
    async (_name, route) => {
      const sibling = await makeNumber(server, own)
      const headers = { 'x-api-key': await makeNumberKey(server, own, sibling) }
      await stored.forget()
      const { error } = await call(server, route, { ...goodInput(route, own.ids), headers })
      expect(['NOT_FOUND', 'MESSAGE_NOT_FOUND', 'MESSAGE_WRONG_NUMBER']).toContain(error?.code)
      await stored.expectNone()
    },
  )
})
