import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { type Answer, call, type Sent } from './call.ts'
import { type Field, fieldsOf, withValue } from './fields.ts'
import { goodInput, goodInputWith } from './good-input.ts'
import { type MountedRoute, mounted } from './mounted.ts'
import { type Mutation, mutationsOf } from './mutations.ts'
import { makeCallers } from './other-tenant.ts'

const server = await startTestServer({ worker: false, env: { TRUSTED_PROXIES: '127.0.0.1', PAYMENTS: 'simulated' } })
const organization = await makeOrganization(server)
const number = await makeNumber(server, organization)
// Links are followed as far as this machine, where there is nothing to fetch.
const link = await startEmptySite()
const callerOf = await makeCallers(server, { authorization: `Bearer ${await makeToken(server, organization)}` })

async function startEmptySite(): Promise<string> {
  const site = createServer((_request, response) => void response.writeHead(404).end())
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise((resolve) => site.close(resolve)))
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
}

let calls = 0

/** Calls as the owner, each time from another address, so that no limit of sign-ins stands in the way. */
function callAs(route: MountedRoute, sent: Sent): Promise<Answer> {
  calls += 1
  const address = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`
  return call(server, route, {
    ...sent,
    headers: { ...callerOf(route), 'x-forwarded-for': address, ...sent.headers },
  })
}

function valueAt(input: unknown, path: Field['path']): unknown {
  return path.reduce<unknown>(
    (value, key) => (value === undefined ? undefined : Reflect.get(Object(value), key)),
    input,
  )
}

/** Texts that have to name something: one that is within the bounds is refused all the same when it names nothing. */
const naming = new Set([
  ...[
    'recipient',
    'from',
    'cursor',
    'after',
    'types',
    'scheduledAt',
    'sendAt',
    'timeZone',
    'code',
    'recoveryCode',
    'currency',
    'country',
    'endsAt',
  ],
  // Assistants: times and days, and lists whose entries must differ.
  ...['hours.week.0.from', 'hours.week.0.to', 'hours.closed.0', 'languages.0', 'languages', 'personWords'],
  ...['questions', 'rows'],
])

/** What is wrong with the answer to a value of a field; undefined when nothing is. */
function fault({ name }: Field, { issue }: Mutation, { status, error }: Answer): string | undefined {
  const observed = `${status} ${error?.code ?? ''} ${JSON.stringify(error?.issues ?? {})}`
  if (status >= 500) return `failed: ${observed}`
  const found = error?.issues?.find(({ field }) => field === name)
  if (!issue) {
    if (error?.code !== 'VALIDATION_ERROR') return undefined
    // The name of an organization is asked for to confirm its deletion, so no other name fits.
    if (error.message.includes('the exact name of the organization')) return undefined
    return (naming.has(name) || naming.has(name.split('.').at(-1) ?? '')) &&
      !error.issues?.some(({ code }) => /too_|required/.test(code))
      ? undefined
      : `was refused: ${observed}`
  }
  if (error?.code !== 'VALIDATION_ERROR' || !found) return `was not refused: ${observed}`
  const { code = 'any', ...bound } = issue
  const named = code === 'any' || found.code === code
  const bounds = Object.entries(bound).every(([key, value]) => Reflect.get(found, key) === value)
  const words = error.details?.[name]
  if (!named || !bounds) return `was refused for another reason: ${observed}`
  return Array.isArray(words) && words.includes(found.message) ? undefined : 'details do not name the field'
}

const table = mounted.flatMap((route) => {
  // The bound of an uploaded file is one of bytes; the test of uploads covers it.
  // Languages are codes of two letters, which no made-up entry of a list is; the test of assistants covers them.
  const fields = fieldsOf(route).filter(
    ({ name }) => !(route.route.upload && name === 'content') && name !== 'languages',
  )
  return fields.length === 0 ? [] : [[route.name, route, fields] as const]
})

let tried = 0
afterAll(() => expect(tried, 'values that were tried').toBeGreaterThan(250))

describe('the fields of every mounted route', () => {
  it.each(table)('%s takes each up to its bounds and nothing beyond', async (_name, route, fields) => {
    const faults: string[] = []
    for (const field of fields) {
      const good = goodInputWith(route, field.name, { number, link })
      const model = valueAt(good[field.place], [...field.path, 0])
      for (const mutation of mutationsOf(field, model, link)) {
        const changed = withValue(good[field.place] ?? {}, field.path, mutation.value)
        const answer = await callAs(route, { ...good, [field.place]: changed })
        const wrong = fault(field, mutation, answer)
        tried += 1
        if (wrong !== undefined) faults.push(`${field.name}, ${mutation.what}, ${wrong}`)
      }
    }
    expect(faults).toEqual([])
  })
})

describe('the Idempotency-Key of every mounted route that takes one', () => {
  it.each(mounted.filter(({ route }) => route.idempotent).map((route) => [route.name, route] as const))(
    '%s takes 1 to 255 plain characters',
    async (_name, route) => {
      const keyed = (key: string) =>
        callAs(route, { ...goodInput(route, { number, link }), headers: { 'idempotency-key': key } })
      const longest = await keyed('k'.repeat(255))
      expect(longest.error?.code).not.toBe('VALIDATION_ERROR')
      expect(longest.headers.get('idempotency-key')).toBe('k'.repeat(255))
      for (const key of ['k'.repeat(256), 'white space', 'ümlaut', '<>']) {
        const { error } = await keyed(key)
        expect(error?.details).toHaveProperty('Idempotency-Key')
      }
    },
  )
})
