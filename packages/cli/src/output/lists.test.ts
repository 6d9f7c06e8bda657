import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPhones } from '../input/phone-list.ts'
import { type Machine, retryAtOnce, testMachine } from '../testing/machine.ts'
import { startService, type Workspace } from '../testing/service.ts'

const makeWorkspace = await startService()

function write(machine: Machine, name: string, text: string): void {
  writeFileSync(path.join(machine.cwd, name), text)
}

/** A machine whose environment knows the service. */
async function atService() {
  const workspace = await makeWorkspace()
  return { machine: workspace.machine, service: workspace, run: (...argv: string[]) => workspace.run(argv) }
}

function sentTo({ seen }: Workspace, route: string): unknown[] {
  return seen.filter(({ path: where }) => where.endsWith(route)).map(({ body }) => body)
}

describe('a file of phones', () => {
  const wanted = [
    { line: 2, phone: '12025550100' },
    { line: 3, phone: '491512345678' },
  ]

  it.each([
    ['lines', '\n+1 (202) 555-0100\n+49 151 2345678\n'],
    ['lines of Windows', '\r\n+1 (202) 555-0100\r\n+49 151 2345678\r\n'],
    ['CSV with a header', 'name,Phone\nAda,+1 202 555-0100\n"Grace, of the Navy",+49.151.2345678\n'],
    [
      'CSV of a spreadsheet with semicolons',
      '\uFEFFphone;name\n"+1 202 555-0100";Ada\n+491512345678;"Grace; of the Navy"',
    ],
    ['tabs without a header', '\n12025550100\tAda\n491512345678\tGrace'],
    ['semicolons beside commas in names', 'name;phone\nDoe, Jane;+1 202 555 0100\nRoe, John;+491512345678'],
    ['semicolons and a name with a comma at once', '\n+1 202 555 0100;Doe, Jane\n+491512345678;Roe'],
    ['semicolons and numbers with a decimal comma', '\n+12025550100;12,50\n+491512345678;7,00'],
    ['commas beside semicolons in texts', 'phone,note\n12025550100,a;b;c\n491512345678,d'],
    ['tabs with an empty cell', 'name\tcity\tphone\n\t\t12025550100\nGrace\t\t491512345678'],
    ['tabs beside both', 'phone\tnote\n12025550100\ta, b; c\n491512345678\td'],
    ['a quoted title with what else divides', '"note; or; more",phone\nx,12025550100\ny,491512345678'],
  ])('may be %s', async (_what, text) => {
    const machine = testMachine()
    write(machine, 'people', text)
    const { rows, duplicates } = await readPhones(machine.world(), 'people')
    expect(rows.map(({ line, phone }) => ({ line, phone }))).toEqual(wanted)
    expect(duplicates).toBe(0)
  })

  it('names each phone once, and keeps every row that is none with its line', async () => {
    const rows = '+12025550100\n12025550100\nnobody\n,Ada\nnobody\n77123@lid\n'
    const { rows: read, duplicates } = await readPhones(testMachine().world({ stdin: rows }), '-')
    expect(read).toMatchObject([
      { line: 1, text: '+12025550100', phone: '12025550100' },
      { line: 3, text: 'nobody', phone: null },
      { line: 4, text: '', phone: null },
      { line: 5, text: 'nobody', phone: null },
      { line: 6, text: '77123@lid', phone: '77123@lid' },
    ])
    expect(duplicates).toBe(1)
  })

  it('that is no CSV is refused, and the error names the line', async () => {
    const read = readPhones(testMachine().world({ stdin: 'phone\n"12025550100\n' }), '-')
    await expect(read).rejects.toThrow(/The input on stdin is not valid CSV: Quote Not Closed.*line 2/)
  })
})

describe('msgctl batch', () => {
  it('leaves out rows without a valid phone with --skip-invalid, and reports who is not on the network', async () => {
    const { machine, service, run } = await atService()
    write(machine, 'people.csv', 'name,phone\nAda,+12025550100\nBob,call me\nCy,\nAda,12025550100\nDi,+12025550101\n')
    const refused = await run('batch', 'hello', '--file', 'people.csv', '--skip-invalid')
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain(
      'line 3: call me is not a phone number\nline 4: an empty cell is not a phone number\n',
    )
    expect(refused.stderr).toContain('Send this text to 2 recipients?')
    expect(sentTo(service, '/alert/batch')).toEqual([])

    const sent = await run('batch', 'hello', '--file', 'people.csv', '--yes', '--skip-invalid')
    expect(sent.exitCode).toBe(9)
    expect(sent.stderr).toContain('Skipped 1 duplicate row.')
    expect(sent.stderr).toContain('Queued for 1 recipient, 3 skipped, 1 duplicate.')
    expect(sentTo(service, '/alert/batch')).toEqual([
      { recipients: ['12025550100', '12025550101'], message: 'hello', skipInvalidNumbers: true },
    ])
  })

  it('gives programs one record for each row', async () => {
    const { machine, run } = await atService()
    write(machine, 'people.txt', '+12025550100\ncall me\n+12025550101\n')
    const words = ['batch', 'hello', '--file', 'people.txt', '--yes', '--skip-invalid', '--json']
    const { stdout, stderr, exitCode } = await run(...words)
    expect({ exitCode, stderr }).toEqual({ exitCode: 9, stderr: 'line 2: call me is not a phone number\n' })
    const none = { messageId: null, containerId: null }
    expect(JSON.parse(stdout)).toEqual([
      {
        line: 1,
        phone: '12025550100',
        status: 'queued',
        messageId: expect.any(String),
        containerId: expect.any(String),
      },
      { line: 2, phone: 'call me', status: 'invalid_format', ...none },
      { line: 3, phone: '12025550101', status: 'not_on_network', ...none },
    ])
  })

  it('with --all-or-nothing sends nothing if a row is not a phone or not on the network', async () => {
    const { machine, service, run } = await atService()
    write(machine, 'bad.txt', '+12025550100\ncall me\n')
    const shape = await run('batch', 'hello', '--file', 'bad.txt', '--yes', '--all-or-nothing', '--json')
    expect(shape.exitCode).toBe(2)
    expect(JSON.parse(shape.stderr).error.details).toEqual({
      rows: [{ line: 2, fault: 'call me is not a phone number' }],
    })
    expect(sentTo(service, '/alert/batch')).toEqual([])

    write(machine, 'off.txt', '+12025550100\n+12025550101\n')
    const network = await run('batch', 'hello', '--file', 'off.txt', '--yes', '--all-or-nothing')
    expect(network.exitCode).toBe(2)
    expect(network.stderr).toContain('line 2: 12025550101 is not on the network')
    expect(sentTo(service, '/alert/batch')).toMatchObject([{ skipInvalidNumbers: false }])
  })

  it('sends a list of any size in parts, unless all or none shall be sent', async () => {
    const { machine, service, run } = await atService()
    write(machine, 'many.txt', Array.from({ length: 501 }, (_, n) => `4915100${String(n).padStart(6, '0')}`).join('\n'))
    const refused = await run('batch', 'hello', '--file', 'many.txt', '--yes', '--all-or-nothing')
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--all-or-nothing allows 500')])
    expect(service.seen).toEqual([])
    const sent = await run('batch', 'hello', '--file', 'many.txt', '--yes', '--idempotency-key', 'k')
    expect([sent.exitCode, sent.stderr]).toEqual([0, expect.stringContaining('Queued for 501 recipients.')])
    const parts = service.seen.filter(({ path }) => path === '/api/v1/alert/batch')
    expect(parts.map(({ headers }) => headers['idempotency-key'])).toEqual(['k', 'k.2'])
  })

  it('ends like any failed call when the network cannot be queried', async () => {
    retryAtOnce()
    const { machine, run } = await atService()
    write(machine, 'people.txt', '+12025550102\n')
    const { stdout, exitCode } = await run('batch', 'hello', '--file', 'people.txt', '--yes')
    expect([stdout, exitCode]).toEqual(['', 8])
  })
})

describe('msgctl validate with a long list', () => {
  /** A service that knows every phone, and a file of 1200. */
  async function withLongList() {
    const service = await makeWorkspace()
    const phones = Array.from({ length: 1200 }, (_, n) => `+1202555${String(n).padStart(4, '0')}`)
    writeFileSync(path.join(service.machine.cwd, 'people.txt'), phones.join('\n'))
    service.script({
      'POST /api/v1/recipients/validate': ({ body }) => {
        const validNumbers = body.phones.map((phone: string) => ({ phone, chatId: `${phone}@c.us` }))
        return { body: { success: true, validNumbers, invalidNumbers: [] } }
      },
    })
    return (situation = {}) => service.run('validate --file people.txt --output csv', situation)
  }

  it('shows a person at once that it works', async () => {
    const validate = await withLongList()
    const { stderr } = await validate({ notesOnTerminal: true })
    expect(/checking [^\d]*(\d+) %/.exec(stderr)?.[1]).toBe('0')
  })

  it('ends a log with the whole list', async () => {
    const validate = await withLongList()
    const { stderr } = await validate()
    expect(stderr).toMatch(/^checking +41 % .*\nchecking +100 % .*\n1200 on the network\n$/)
  })
})

describe('msgctl validate', () => {
  it('shows the lines of a file, and sends only well-formed phones to the service', async () => {
    const { machine, service, run } = await atService()
    write(machine, 'people.csv', 'phone,name\n+12025550100,Ada\nnobody,Bob\n+12025550101,Cy\n')
    const { stdout, exitCode } = await run('validate', '--file', 'people.csv', '--output', 'csv')
    expect(stdout).toBe(
      'line,phone,status,chatId\n2,12025550100,valid,12025550100@c.us\n3,nobody,invalid_format,\n' +
        '4,12025550101,not_on_network,\n',
    )
    expect(exitCode).toBe(9)
    expect(sentTo(service, '/recipients/validate')).toEqual([{ phones: ['12025550100', '12025550101'] }])
  })

  it('does not call the service if there is no phone', async () => {
    const { service, run } = await atService()
    const { stdout, exitCode } = await run('validate', 'nobody', '--output', 'plain', '--fields', 'status')
    expect([stdout, exitCode]).toEqual(['invalid_format\n', 2])
    expect(service.seen).toEqual([])
  })

  it('refuses phones beside a file', async () => {
    const { machine, run } = await atService()
    write(machine, 'some.txt', '12025550100')
    expect((await run('validate', '12025550100', '--file', 'some.txt')).exitCode).toBe(2)
  })
})

describe('msgctl batch with a number that cannot be checked', () => {
  async function withUnchecked() {
    const { machine, service } = await atService()
    write(machine, 'people.txt', '+12025550100\n+12025550102\n+12025550110\n')
    return service
  }
  const unnamed = 'line 2: 12025550102 cannot be checked now\n'

  it('names it, and sends nothing in a script without the flag', async () => {
    const service = await withUnchecked()
    const { exitCode, stderr } = await service.run('batch hello --file people.txt --yes')
    expect([exitCode, stderr]).toEqual([8, expect.stringContaining(unnamed)])
    expect(stderr).toContain('--skip-unchecked sends to the other 2.\n')
  })

  it('asks a person whether to send to the others', async () => {
    const service = await withUnchecked()
    const { exitCode, stderr } = await service.run('batch hello --file people.txt', { keys: ['y\r', 'y\r'] })
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('1 recipient cannot be checked now.')])
  })

  it('sends to the others with the flag, and lists it', async () => {
    const service = await withUnchecked()
    const words = 'batch hello --file people.txt --yes --skip-unchecked --output plain --fields phone,status'
    const { exitCode, stdout } = await service.run(words)
    expect([exitCode, stdout]).toEqual([9, '12025550100\tqueued\n12025550102\tnot_checked\n12025550110\tqueued\n'])
  })
})

describe('a list that is cut', () => {
  it('says so on stderr in every format, and not when its length was chosen', async () => {
    const { machine, run } = await atService()
    write(machine, 'many.txt', Array.from({ length: 51 }, (_, n) => `+1202555${1200 + n}`).join('\n'))
    expect((await run('batch', 'hello', '--file', 'many.txt', '--yes')).exitCode).toBe(0)
    const cut = 'These are the first 50. --all shows all of them, --limit a number of them.\n'
    const csv = await run('messages', 'list', '--output', 'csv')
    expect([csv.stdout.trimEnd().split('\n').length, csv.stderr]).toEqual([51, cut])
    expect((await run('messages', 'list', '--json')).stderr).toBe(cut)
    expect((await run('messages', 'list', '--all', '--json')).stderr).toBe('')
    expect((await run('messages', 'list', '--limit', '50')).stderr).not.toContain('the first')
  })

  it.each([
    ['contacts search Jane', 'GET /api/v1/contacts', 'contacts', 10, 'contacts', 50],
    ['chats list', 'GET /api/v1/chats', 'chats', 50, 'chats', 200],
  ])('says so where the response has no total: %s', async (words, route, field, usual, what, max) => {
    const { service } = await atService()
    const rows = Array.from({ length: usual }, (_, n) => ({ id: String(n) }))
    let count = usual
    service.script({ [route]: () => ({ body: { success: true, [field]: rows.slice(0, count) } }) })
    const cut = `These are the first ${usual} ${what}; there may be more. --limit shows up to ${max}.\n`
    expect((await service.run(`${words} --json`)).stderr).toBe(cut)
    expect((await service.run(`${words} --json --limit ${usual}`)).stderr).toBe('')
    count = usual - 1
    expect((await service.run(`${words} --json`)).stderr).toBe('')
  })

  it('says so of a queue, which is cut for each number', async () => {
    const { service } = await atService()
    const messages = Array.from({ length: 20 }, (_, n) => ({ id: String(n) }))
    const lanes = [
      { containerId: 'a', messages },
      { containerId: 'b', messages: messages.slice(1) },
    ]
    service.script({ 'GET /api/v1/queue': () => ({ body: { success: true, lanes } }) })
    const cut = 'These are the first 20 of each number; there may be more. --limit shows up to 100.\n'
    expect((await service.run('messages queue --json')).stderr).toBe(cut)
    expect((await service.run('messages queue --json --limit 20')).stderr).toBe('')
  })
})
