import { describe, expect, it } from 'vitest'
import { makeTenant, startEdge } from '#testing/features/http-edge.ts'

async function refuse(): Promise<never> {
  throw new Error('no body of this test gets here')
}

const edge = await startEdge({
  campaigns: {
    create: async ({ body, idempotency }) =>
      idempotency.transact(async () => ({
        campaign: {
          id: '018f3b5e-0000-7000-8000-000000000001',
          name: body.name,
          status: 'draft',
          recipientCount: body.recipients.length,
          scheduledAt: null,
          duplicates: 0,
        },
      })),
  },
  recipients: { validate: refuse },
  alert: { validate: refuse, batch: refuse },
  reminders: { import: refuse },
  numbers: { start: async () => ({ status: 'starting', message: 'It starts.' }) },
  auth: { signIn: refuse },
})
const { key } = await makeTenant(edge.db)

const list = (entry: string, count: number) => `[${Array(count).fill(entry).join(',')}]`
const fields = (count: number) => Array.from({ length: count }, (_, n) => `"f${n}":1`).join(',')
const recipients = (inner: string) => `{"name":"x","template":"x","recipients":${inner}}`
interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: object
  readonly issues?: readonly object[]
}

const large = (marks: string, details: object): Refusal => ({
  status: 413,
  code: 'PAYLOAD_TOO_LARGE',
  message: marks,
  details,
})
const tooBig = (field: string, maximum: number, message: string): Refusal => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  message: `${field} ${message}.`,
  details: { [field]: [message] },
  issues: [{ field, code: 'too_big', maximum, message }],
})

describe('a body with more structure than its route needs', () => {
  it.each<[string, string, Refusal]>([
    [
      'a recipient of a million variables',
      recipients(`[{"phone":"+12025550100","variables":{${fields(300_000)}}}]`),
      large('The body has a list entry of more than 2000 fields and entries.', { maxEntries: 2000 }),
    ],
    [
      'a list of lists',
      `{"a":${list('[]', 1_000_000)}}`,
      large('The body has a list of more than 20000 entries.', { maxEntries: 20_000 }),
    ],
    [
      'a list in an object',
      `{"a":{"b":${list('[]', 50_000)}}}`,
      large('The body has more than 20000 fields and entries.', { maxEntries: 20_000 }),
    ],
    [
      'a list instead of an object',
      list('[]', 50_000),
      large('The body has more than 20000 fields and entries.', { maxEntries: 20_000 }),
    ],
    [
      'empty recipients',
      recipients(list('{}', 1_000_000)),
      tooBig('recipients', 10_000, 'must have at most 10000 entries'),
    ],
    [
      'recipients in the name of another field',
      `{"x\\"recipients":${list('{}', 30_000)}}`,
      large('The body has a list of more than 20000 entries.', { maxEntries: 20_000 }),
    ],
    [
      'recipients that are too many before one is too large',
      recipients(`[${'{},'.repeat(10_001)}{"phone":"${' '.repeat(70_000)}"}]`),
      tooBig('recipients', 10_000, 'must have at most 10000 entries'),
    ],
    [
      'many lists of many fields',
      `{"a":${list(`{${fields(900)}}`, 700)}}`,
      large('The body has lists of more than 1200000 fields and entries.', { maxEntries: 1_200_000 }),
    ],
    [
      'unknown fields',
      `{${fields(500_000)}}`,
      large('The body has more than 20000 fields and entries.', { maxEntries: 20_000 }),
    ],
    [
      'a long text in a list',
      `{"recipients":[{"phone":"${' '.repeat(70_000)}"}]}`,
      large('The body has a list entry with a text of more than 65536 bytes.', { maxBytes: 65_536 }),
    ],
    [
      'a long text outside of lists',
      `{"name":"${'x'.repeat(70_000)}"}`,
      tooBig('name', 255, 'must have at most 255 characters'),
    ],
    [
      'a long template',
      `{"name":"x","template":"${'x'.repeat(70_000)}"}`,
      tooBig('template', 4096, 'must have at most 4096 characters'),
    ],
    [
      'a long text of an unknown field',
      `{"name":"x","other":"${'x'.repeat(70_000)}"}`,
      large('The body has a text of more than 65536 bytes.', { maxBytes: 65_536 }),
    ],
    [
      'a long name of a field',
      `{"name":"x","${'x'.repeat(70_000)}":"name"}`,
      large('The body has a text of more than 65536 bytes.', { maxBytes: 65_536 }),
    ],
    [
      'a text that never ends',
      `{"name":"${'x'.repeat(140_000)}`,
      tooBig('name', 255, 'must have at most 255 characters'),
    ],
    [
      'lists that never end',
      '[[],'.repeat(15),
      { status: 400, code: 'INVALID_JSON', message: 'The body is not valid JSON.' },
    ],
  ])('is refused on a bulk route: %s', async (_what, text, { status, ...fault }) => {
    const answer = await edge.call('POST', '/bulk/campaigns', { key, body: text })
    expect(answer.status).toBe(status)
    expect(answer.body.error).toMatchObject(fault)
  })

  it.each([
    ['/bulk/campaigns', 'recipients', list('{"phone":"+12025550100"}', 25_000), 10_000],
    ['/reminders/import', 'rows', list('{"phone":"+12025550100","sendAt":"x","label":"x"}', 25_000), 5000],
    ['/recipients/validate', 'phones', list('"+12025550100"', 25_000), 10_000],
    ['/alert/validate', 'phones', list('"+12025550100"', 25_000), 500],
    ['/alert/batch', 'recipients', list('"+12025550100"', 25_000), 500],
  ])('has a list of a known bound: %s %s', async (path, field, inner, maximum) => {
    const { status, body } = await edge.call('POST', path, { key, body: `{"${field}":${inner}}` })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.error.issues).toMatchObject([{ field, code: 'too_big', maximum }])
  })

  it('has a text of a known bound: POST /reminders/import message', async () => {
    const { status, body } = await edge.call('POST', '/reminders/import', {
      key,
      body: `{"message":"${'é'.repeat(40_000)}"}`,
    })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.error.issues).toMatchObject([{ field: 'message', code: 'too_big', maximum: 4096 }])
  })

  it('is refused on an ordinary route', async () => {
    for (const text of [`{"a":${list('[]', 10_001)}}`, `{${fields(10_001)}}`]) {
      const { status, body } = await edge.call('POST', '/session/start', { key, body: text })
      expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    }
    expect((await edge.call('POST', '/session/start', { key, body: `{${fields(9000)}}` })).status).toBe(200)
  })

  it.each([
    [
      '17 KiB',
      JSON.stringify({ email: 'a@example.org', password: 'x', pad: 'p'.repeat(17 * 1024) }),
      { maxBytes: 16_384 },
    ],
    ['lists', `{"a":${list('[]', 101)}}`, { maxEntries: 200 }],
    ['unknown fields', `{${fields(101)}}`, { maxEntries: 200 }],
  ])('is refused without credentials: %s', async (_what, text, details) => {
    const { status, body } = await edge.call('POST', '/auth/sign-in', { body: text })
    expect([status, body.error.code, body.error.details]).toEqual([413, 'PAYLOAD_TOO_LARGE', details])
  })
})

describe('a bulk body', () => {
  const one = '{"phone":"+12025550100"}'

  it('may have all that the contract allows', async () => {
    const variables = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v']))
    const entry = JSON.stringify({ phone: '+12025550100', variables })
    const { status, body } = await edge.call('POST', '/bulk/campaigns', { key, body: recipients(list(entry, 10_000)) })
    expect([status, body.campaign?.recipientCount]).toEqual([201, 10_000])
  })

  it('reports the faults of its frame and of its first faulty entries', async () => {
    const faulty = `{"name":"","template":"x","recipients":[${one},{"phone":"12"},${list('{}', 500).slice(1)}}`
    const { status, body } = await edge.call('POST', '/bulk/campaigns', { key, body: faulty })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    const { issues } = body.error
    expect(issues).toHaveLength(101)
    expect(issues.slice(0, 3).map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['name', 'too_small'],
      ['recipients.1.phone', 'too_small'],
      ['recipients.2.phone', 'required'],
    ])
  })

  it.each([
    ['10,001 entries', list(one, 10_001), 'too_big'],
    ['no entry', '[]', 'too_small'],
    ['no list', '{}', 'invalid_type'],
  ])('must have a list of the right length: %s', async (_what, inner, code) => {
    const { body } = await edge.call('POST', '/bulk/campaigns', { key, body: recipients(inner) })
    expect(body.error.issues).toMatchObject([{ field: 'recipients', code }])
  })

  it('is taken beside seven others of its organization, one after the other', async () => {
    const whole = recipients(list(one, 5000))
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => edge.call('POST', '/bulk/campaigns', { key, body: whole })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
  })
})

describe('requests without credentials', () => {
  it('are bounded for each address, before their bodies are read', async () => {
    const other = await startEdge({ auth: { signIn: async () => Promise.reject(new Error('unused')) } })
    const codes: string[] = []
    for (let n = 0; n < 301; n++) {
      const { body } = await other.call('POST', '/auth/sign-in', { body: '{' })
      codes.push(body.error.code)
    }
    expect([codes.at(-2), codes.at(-1)]).toEqual(['INVALID_JSON', 'RATE_LIMIT'])
  })
})
