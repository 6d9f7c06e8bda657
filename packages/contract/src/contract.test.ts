import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { contract } from './contract.ts'
import { adminEndpoints } from './generated/admin-endpoints.ts'
import { endpoints } from './generated/endpoints.ts'
import { listErrors, type Route } from './route.ts'

const resources: Record<string, Record<string, Route>> = contract
const routes = Object.entries(resources).flatMap(([resource, named]) =>
  Object.entries(named).map(([name, route]) => ({ name: `${resource}.${name}`, route })),
)
const namesWhere = (test: (route: Route) => boolean) =>
  routes.filter(({ route }) => test(route)).map(({ name }) => name)

describe('the contract', () => {
  it('holds exactly the endpoints of both tables, each at its name', () => {
    const page = Object.entries({ ...endpoints, ...adminEndpoints }).flatMap(([resource, named]) =>
      Object.entries(named).map(([name, endpoint]) => [`${resource}.${name}`, endpoint]),
    )
    expect(routes.map(({ name, route }) => [name, route.endpoint]).sort()).toEqual(page.sort())
    expect(routes.length).toBeGreaterThan(70)
  })

  it('names every endpoint once', () => {
    const all = routes.map(({ route }) => route.endpoint)
    expect(new Set(all).size).toBe(all.length)
  })

  it('has `success` everywhere except on the number routes that have none', () => {
    const without = namesWhere(({ response }) => {
      const parts = response instanceof z.ZodUnion ? response.options : [response]
      return !parts.every((part) => part instanceof z.ZodObject && 'success' in part.shape)
    })
    expect(without.sort()).toEqual(
      [
        ...[
          'list',
          'status',
          'qr',
          'pair',
          'start',
          'stop',
          'reconnect',
          'logout',
          'history',
          'profile',
          'setProfile',
        ].map((name) => `numbers.${name}`),
        'chats.attachment',
        'events.stream',
        'openapi.document',
      ].sort(),
    )
  })

  it('lets every POST be repeated safely that sends or creates and whose response holds no secret', () => {
    expect(namesWhere((route) => route.idempotent === true).sort()).toEqual(
      [
        ...[
          'send',
          'sendImage',
          'sendVideo',
          'sendFile',
          'sendVoice',
          'sendContact',
          'sendLocation',
          'sendLink',
          'sendPoll',
        ]
          .concat('batch', 'forward')
          .map((name) => `alert.${name}`),
        ...['create', 'send', 'resume'].map((name) => `campaigns.${name}`),
        ...['create', 'import'].map((name) => `reminders.${name}`),
        ...['create', 'release'].map((name) => `numbers.${name}`),
        ...['addAnswer', 'addProduct', 'create', 'importAnswers', 'importProducts', 'resolveReview'].map(
          (name) => `bots.${name}`,
        ),
        'otp.send',
        'webhook.test',
        'webhook.replayDeliveries',
        'events.replay',
      ].sort(),
    )
    const posts = namesWhere((route) => route.idempotent === true && !route.endpoint.startsWith('POST '))
    expect(posts).toEqual([])
  })

  it('never stores a response that holds a secret', () => {
    expect(namesWhere((route) => route.secret === true && route.idempotent === true)).toEqual([])
    expect(namesWhere((route) => route.secret === true).sort()).toEqual(
      [
        'account.generateKey',
        'account.regenerateKey',
        'auth.consoleCode',
        'auth.enableTwoFactor',
        'auth.join',
        'auth.switchOrganization',
        'auth.welcome',
        'organization.create',
        'team.invite',
        'team.resendInvitation',
        'auth.newRecoveryCodes',
        'auth.secondStep',
        'auth.setUpTwoFactor',
        'auth.signIn',
        'auth.signUp',
        'numbers.generateKey',
        'numbers.pair',
        'numbers.qr',
        'numbers.regenerateKey',
        'oauth.approve',
        'webhook.addEndpoint',
        'webhook.endpoint',
        'webhook.get',
        'webhook.regenerateEndpointSecret',
        'webhook.regenerateSecret',
        'webhook.set',
      ].sort(),
    )
  })

  it('counts every send against the trial; one that leaves at once may meet a network that does not answer', () => {
    // A campaign that continues was counted before. An order moves also when its customer gets no text.
    const uncounted = ['campaigns.resume', 'bots.changeOrder']
    const sends = routes.filter(({ route, name }) => route.sends && !uncounted.includes(name))
    expect(sends.length).toBe(14)
    for (const { route, name } of sends) expect(listErrors(route), name).toContain('TRIAL_LIMIT_REACHED')
    for (const { route, name } of sends.filter(({ route }) => route.sends === 'direct')) {
      expect(listErrors(route), name).toEqual(
        expect.arrayContaining(['GATEWAY_ERROR', 'GATEWAY_SESSION_ERROR', 'GATEWAY_UNREACHABLE', 'UPSTREAM_TIMEOUT']),
      )
    }
  })

  it('takes 16 MiB only where lists of thousands come in', () => {
    expect(namesWhere((route) => route.bulk === true).sort()).toEqual([
      'bots.importAnswers',
      'bots.importProducts',
      'campaigns.create',
      'campaigns.preview',
      'campaigns.update',
      'recipients.validate',
      'reminders.import',
    ])
  })

  it('lets a per-number key call what the specification lists, and nothing else', () => {
    const reach = /^\S+ \/(alert|otp|recipients|chats|contacts|bulk)(\/|$)/
    const own = /^\S+ \/session\/(status|qr|pair|start|reconnect|logout|history|profile|:containerId\/release)$/
    const listed = namesWhere(({ endpoint }) => reach.test(endpoint) || own.test(endpoint))
    const byNumberKey = namesWhere(({ access }) => access.keys === 'any')
    // These hold for every number of the organization, or count all of them.
    const forAll = ['contacts.setOptOutWords', 'contacts.addOptOuts', 'otp.stats']
    expect(byNumberKey).toEqual(listed.filter((name) => !forAll.includes(name)))
  })

  it('repeats no code in the list of a route', () => {
    for (const { route, name } of routes) expect(new Set(route.errors).size, name).toBe(route.errors.length)
  })

  it('ends every summary without a full stop and on one line', () => {
    for (const { route, name } of routes) expect(route.summary, name).toMatch(/^[A-Z][^\n]{5,70}[^.\n]$/)
  })
})

interface Inside {
  innerType?: z.ZodType
  in?: z.ZodType
  element?: z.ZodType
  keyType?: z.ZodType
  valueType?: z.ZodType
  shape?: z.ZodRawShape
  checks?: readonly z.core.$ZodCheck[]
}

/**
 * The texts, lists and records inside a schema of input that may grow without end. Of a pipe only what comes in counts.
 */
function endless(schema: z.ZodType, path: string): string[] {
  const { innerType, in: input, element, keyType, valueType, shape } = schema.def as unknown as Inside
  const own = isEndless(schema) ? [path] : []
  const inner = [innerType, input, element, keyType, valueType].flatMap((part) => (part ? endless(part, path) : []))
  const fields = Object.entries(shape ?? {}).flatMap(([name, field]) => endless(field as z.ZodType, `${path}.${name}`))
  return [...own, ...inner, ...fields]
}

/** A pattern that takes a bounded number of characters of one class. */
const boundedPattern = /^\^\[[^\]]*\]\{\d+,\d+\}\$$/

function isEndless(schema: z.ZodType): boolean {
  const { checks = [], keyType } = schema.def as unknown as Inside
  switch (schema.def.type) {
    case 'string':
      if (schema instanceof z.ZodUUID || checks.some((check) => check._zod.def.check === 'max_length')) return false
      return !checks.some(
        ({ _zod: { def } }) => 'pattern' in def && boundedPattern.test((def.pattern as RegExp).source),
      )
    case 'array':
      return !checks.some((check) => check._zod.def.check === 'max_length')
    case 'record':
      // The number of keys has no check of its own: what checks it says so to the document.
      return !(keyType instanceof z.ZodEnum) && schema.meta()?.maxProperties === undefined
    default:
      return false
  }
}

describe('input', () => {
  /** Lists whose entries are judged one by one: a text of any length is no phone, and never fails the others. */
  const judgedByRow = ['alert.validate.phones', 'alert.batch.recipients', 'recipients.validate.phones']

  it('has a bound on every text, list and record, but for phones that are judged one by one', () => {
    const all = routes.flatMap(({ name, route }) =>
      [route.params, route.query, route.body].flatMap((part) => (part ? endless(part, name) : [])),
    )
    // Each once: the entry has no bound, its list has one.
    expect(all.sort()).toEqual(judgedByRow.sort())
  })

  it.each([
    ['a text', z.object({ a: z.string() })],
    ['an optional address', z.object({ a: z.url().optional() })],
    ['a list', z.object({ a: z.array(z.uuid()) })],
    ['a text of a list', z.object({ a: z.array(z.string()).max(3) })],
    ['a text that is changed', z.object({ a: z.string().transform((text) => text.length) })],
    ['a record', z.object({ a: z.record(z.string().max(3), z.boolean()) })],
    ['a key of a record', z.object({ a: z.record(z.string(), z.boolean()).meta({ maxProperties: 3 }) })],
    ['a value of a record', z.object({ a: z.record(z.enum(['b']), z.string()) })],
    ['a text of a pattern', z.object({ a: z.string().regex(/^[a-z]+$/) })],
  ])('would be seen without one: %s', (_name, schema) => {
    expect(endless(schema, 'x')).toEqual(['x.a'])
  })
})
