import { describe, expect, it } from 'vitest'
import { kindsFrom } from '../commands/events/kinds.ts'
import { pickNumber, resolveContainerId } from '../commands/numbers/reference.ts'
import { testMachine } from '../testing/machine.ts'
import { secondsFrom, wholeFrom } from './duration.ts'
import { parseFields } from './form-fields.ts'
import { readInput, readLine } from './read-input.ts'

describe('a time', () => {
  it.each([
    ['90', 90],
    ['90s', 90],
    ['15m', 900],
    ['2h', 7200],
    ['1d', 86_400],
  ])('%s is %i seconds', (text, seconds) => {
    expect(secondsFrom(text, 'It')).toBe(seconds)
  })

  it.each(['', '0', '0m', '-5', '1.5h', '5x', '1h30m', '99999999999'])('is not %j', (text) => {
    expect(() => secondsFrom(text, '--timeout')).toThrow(/^--timeout must be a positive duration/)
  })

  it('and a whole number stay inside their bounds', () => {
    expect(wholeFrom('100', '--limit', 1, 100)).toBe(100)
    for (const text of ['0', '101', '1e2', '', ' 5', '-1']) expect(() => wholeFrom(text, '--limit', 1, 100)).toThrow()
  })
})

describe('words that no request can carry', () => {
  it.each([
    [['messages', 'show', ''], 'id is missing.'],
    [['chats', 'show', '..'], 'phone must not be ..'],
    [['api', 'POST', '/otp/send', '--idempotency-key', 'a b'], '--idempotency-key must be 1 to 255 characters'],
  ])('%j are a mistake in what was typed', async (argv, message) => {
    const env = { MSG_API_KEY: 'msk_unused_key', MSG_BASE_URL: 'http://127.0.0.1:1/api/v1' }
    const { exitCode, stdout, stderr } = await testMachine().run(argv, { env })
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(`Error: ${message}`)
    expect(stderr).not.toContain('fault of msgctl')
  })
})

describe('fields of msgctl api', () => {
  it('keep text as text and read typed ones', () => {
    expect(parseFields(['limit=5', 'text=a=b', 'empty='], ['on=true', 'none=null', 'n=-1.5', 'word=trueish'])).toEqual({
      limit: '5',
      text: 'a=b',
      empty: '',
      on: true,
      none: null,
      n: -1.5,
      word: 'trueish',
    })
  })

  it('build lists and deeper objects', () => {
    expect(parseFields(['phones[]=1', 'phones[]=2', 'a.b.c=x'], ['a.b.n=1', 'raw=["x",{"y":1}]'])).toEqual({
      phones: ['1', '2'],
      a: { b: { c: 'x', n: 1 } },
      raw: ['x', { y: 1 }],
    })
  })

  it.each(['novalue', '=x', 'a..b=1', 'a[]b=1', 'a[].b=1', '__proto__.x=1', 'constructor.x=1', `${'a.'.repeat(9)}a=1`])(
    'refuse %s',
    (pair) => {
      expect(() => parseFields([pair], [])).toThrow(/is not a valid field/)
      expect(({} as { x?: unknown }).x).toBeUndefined()
    },
  )

  it.each([
    ['a=1', 'a[]=2'],
    ['a=1', 'a.b=2'],
    ['a[]=1', 'a.b=2'],
  ])('refuse %s beside %s', (first, second) => {
    expect(() => parseFields([first, second], [])).toThrow(/contradicts/)
  })
})

describe('a number named by a person', () => {
  const numbers = [
    { id: '0190c1d2-0000-7000-8000-000000000001', label: 'Support', phoneNumber: '12025550199' },
    { id: '0190c1d2-0000-7000-8000-000000000002', label: 'Sales', phoneNumber: null },
    { id: '0290c1d2-0000-7000-8000-000000000003', label: 'sales', phoneNumber: '12025550198' },
  ]

  it.each([
    ['support', 0],
    ['+1 (202) 555-0199', 0],
    ['0290', 2],
    ['0190C1D2-0000-7000-8000-000000000002', 1],
  ])('%s is found', (reference, index) => {
    expect(pickNumber(numbers, reference)).toBe(numbers[index])
  })

  it('is refused when it could be several, with their ids', () => {
    expect(() => pickNumber(numbers, 'sales')).toThrow(/0001|0002.*0003/)
    expect(() => pickNumber(numbers, '0190')).toThrow(/Several numbers match 0190/)
  })

  it('is not guessed from too little', () => {
    expect(() => pickNumber(numbers, '019')).toThrow(/Number 019 not found/)
  })

  it('is taken as it is when it is a whole id, without asking the service', async () => {
    const id = '0190C1D2-0000-7000-8000-0000000000FF'
    expect(await resolveContainerId({} as never, id)).toBe(id.toLowerCase())
  })
})

describe('kinds of events', () => {
  it('may be named in groups, each counted once', () => {
    expect(kindsFrom('session.*, session.recovered,poll.vote')).toEqual([
      'session.needs_scan',
      'session.disconnected',
      'session.recovered',
      'poll.vote',
    ])
  })

  it.each(['', 'message', 'message.*x', '*'])('%j is none', (list) => {
    expect(() => kindsFrom(list)).toThrow(/Unknown event/)
  })
})

describe('stdin', () => {
  it('is read whole, without the line end that echo adds', async () => {
    expect(await readLine(testMachine().world({ stdin: 'grüße\n\n' }), 100)).toBe('grüße\n')
  })

  it('is bounded', async () => {
    await expect(readInput(testMachine().world({ stdin: 'x'.repeat(101) }), 100)).rejects.toThrow(
      /larger than 100 bytes/,
    )
  })

  it('is not waited for on a terminal', async () => {
    const world = testMachine().world()
    const stdin = Object.assign(world.stdin, { isTTY: true })
    await expect(readInput({ ...world, stdin }, 100)).rejects.toThrow(/no input on stdin/)
  })
})
