import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { retryAtOnce, type Situation, testMachine } from '../../testing/machine.ts'
import { type Routes, refusal, scriptedServer } from '../../testing/scripted-server.ts'
import { startService } from '../../testing/service.ts'
import { readRecipients } from './recipient-list.ts'

const makeWorkspace = await startService()

/** A machine whose environment knows a service that responds as `routes` say. */
async function scripted(routes: Routes) {
  const machine = testMachine()
  const { origin, seen } = await scriptedServer(routes)
  const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
  const run = (words: string, situation: Situation = {}) => machine.run(words.split(' '), { env, ...situation })
  return { machine, run, changes: () => seen.filter(({ method }) => method !== 'GET') }
}

/** A machine whose environment knows the service, with files in its folder. */
async function atService(files: Readonly<Record<string, string>> = {}) {
  const workspace = await makeWorkspace()
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(workspace.machine.cwd, name), text)
  return workspace
}

const csv = 'phone,name,city\n+1 202 555 0100,Ada,\n12025550102,Grace,Berlin\n'

describe('the recipients of a campaign', () => {
  const ada = { phone: '+1 202 555 0100', variables: { name: 'Ada' } }
  const grace = { phone: '12025550102', variables: { name: 'Grace', city: 'Berlin' } }

  it.each([
    ['CSV', { csv: '-' }, csv, 'line', 2],
    ['CSV of a spreadsheet', { csv: '-' }, `\uFEFF${csv.replaceAll(',', ';').replaceAll('\n', ';\r\n')}`, 'line', 2],
    ['JSON', { file: '-' }, JSON.stringify([ada, grace]), 'entry', 1],
  ])('come from %s; an empty cell is no value', async (_what, source, stdin, unit, first) => {
    const people = await readRecipients(testMachine().world({ stdin }), source)
    expect(people).toMatchObject({
      recipients: [ada, grace],
      positions: [{ [unit]: first }, { [unit]: first + 1 }],
      errors: [],
    })
  })

  it('may be typed', async () => {
    const { recipients, errors } = await readRecipients(testMachine().world(), {
      recipients: '+12025550100, 12025550102',
    })
    expect(recipients).toEqual([{ phone: '+12025550100' }, { phone: '12025550102' }])
    expect(errors).toEqual([])
  })

  it.each([
    ['no phone number', 'unknown,Ada', 'unknown is not a phone number'],
    ['a hidden id', '77123@lid,Ada', '77123@lid is not a phone number'],
    ['no phone', ',Ada', 'an empty cell is not a phone number'],
    ['a cell too many', '12025550100,Ada,Lovelace', 'has 3 columns, the first line has 2'],
    ['a value too long', `12025550100,${'x'.repeat(1001)}`, 'name is longer than 1000 characters'],
  ])('with %s in a row of CSV are named with the line', async (_what, row, fault) => {
    const stdin = `phone,name\n12025550102,Grace\n${row}\n`
    const { errors } = await readRecipients(testMachine().world({ stdin }), { csv: '-' })
    expect(errors).toEqual([{ at: { line: 3 }, fault }])
  })

  it.each([
    ['a number', 7, 'phone must be text'],
    ['an object without a phone', {}, 'phone must be text'],
    ['variables that are no object', { phone: '12025550100', variables: 'Ada' }, 'variables must be an object'],
    ['a variable that is no text', { phone: '12025550100', variables: { n: 1 } }, 'the variable n must be text'],
    ['no phone number', 'unknown', 'unknown is not a phone number'],
  ])('with %s in JSON are named with the entry', async (_what, entry, fault) => {
    const stdin = JSON.stringify(['12025550102', entry])
    const { errors } = await readRecipients(testMachine().world({ stdin }), { file: '-' })
    expect(errors).toEqual([{ at: { entry: 2 }, fault }])
  })

  it.each([
    ['no source', {}, '', /one of --csv, --file and --recipients/],
    ['two sources', { csv: '-', recipients: '12025550100' }, csv, /one of --csv/],
    ['no column phone', { csv: '-' }, 'number\n12025550100\n', /no column phone/],
    ['a column twice', { csv: '-' }, 'phone,name,name\n12025550100,a,b\n', /column name twice/],
    ['a phone column twice', { csv: '-' }, 'phone,Phone\n12025550100,12025550100\n', /column phone twice/],
    ['broken JSON', { file: '-' }, '[', /The input on stdin is not JSON/],
    ['JSON that is no list', { file: '-' }, '{}', /is not a JSON array/],
    ['an empty list', { file: '-' }, '[]', /recipient list is empty/],
    [
      '10,001 recipients',
      { file: '-' },
      JSON.stringify(Array(10_001).fill('12025550100')),
      /maximum of a campaign is 10000/,
    ],
  ])('are refused for %s', async (_what, source, stdin, message) => {
    await expect(readRecipients(testMachine().world({ stdin }), source)).rejects.toThrow(message)
  })
})

describe('msgctl campaigns create', () => {
  it('reports invalid rows with their lines before anything is sent', async () => {
    const { run, changes } = await atService({ 'people.csv': `${csv}unknown,Bob,\n,Cy,\n` })
    const { exitCode, stderr } = await run('campaigns create News Hello --csv people.csv')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('line 4: unknown is not a phone number\nline 5: an empty cell is not a phone number\n')
    expect(stderr).toContain('2 rows are invalid. Nothing was changed.')
    const ranWithJson = await run('campaigns create News Hello --csv people.csv --json')
    expect(JSON.parse(ranWithJson.stderr).error.details.rows[0]).toEqual({
      line: 4,
      fault: 'unknown is not a phone number',
    })
    expect(changes()).toEqual([])
  })

  it('names the lines whose value is missing when the service refuses them', async () => {
    const { run } = await atService({ 'people.csv': csv })
    const { exitCode, stderr } = await run('campaigns create News {{city}} --csv people.csv')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('line 2: variables must have a value for {{city}}\n')
    expect(stderr).not.toContain('line 3')
  })

  it('asks for confirmation before it schedules a start, but not for a draft', async () => {
    const { run, changes } = await atService({ 'people.csv': csv })
    const argv = 'campaigns create News Hello --csv people.csv --at 2027-01-31T09:00:00Z'
    const declined = await run(argv)
    expect([declined.exitCode, declined.stderr]).toEqual([
      2,
      expect.stringContaining('Send "News" to 2 recipients at 2027-01-31 09:00:00 (UTC)?'),
    ])
    expect(changes()).toEqual([])
    expect((await run(`${argv} --yes`)).exitCode).toBe(0)
    expect(changes()).toMatchObject([{ scheduledAt: '2027-01-31T09:00:00Z' }])
    expect((await run('campaigns create News Hello --recipients 12025550100')).exitCode).toBe(0)
  })

  it('reads the text or the recipients from stdin, not both', async () => {
    const { run, changes } = await atService({ 'people.csv': csv })
    expect((await run('campaigns create News - --csv -', { stdin: csv })).exitCode).toBe(2)
    expect((await run('campaigns create News - --csv people.csv', { stdin: 'Dear {{name}}\n' })).exitCode).toBe(0)
    expect(changes()).toMatchObject([{ template: 'Dear {{name}}' }])
  })

  it('reads a time without an offset in the zone of --time-zone', async () => {
    const { run, changes } = await atService()
    const argv = 'campaigns create News Hello --recipients 12025550100 --yes --at 2027-01-31T09:00:00'
    expect((await run(`${argv} --time-zone Europe/Berlin`)).exitCode).toBe(0)
    expect(changes()).toMatchObject([{ scheduledAt: '2027-01-31T08:00:00Z' }])
    expect((await run(`${argv} --time-zone Nowhere/Else`)).stderr).toContain('The time zone Nowhere/Else is unknown.')
  })
})

describe('a campaign', () => {
  const create = 'campaigns create News Hello --recipients 12025550100 --output plain --fields id'

  it.each([
    ['show News', 'GET', '/status'],
    ['recipients News', 'GET', '/recipients'],
    ['edit news --name Other', 'PUT', ''],
    ['send NEWS --yes', 'POST', '/send'],
    ['pause News', 'POST', '/pause'],
    ['resume News', 'POST', '/resume'],
    ['delete News --yes', 'DELETE', ''],
  ])('may be given by its name: %s', async (argv, method, verb) => {
    const { run, seen } = await atService()
    const id = (await run(create)).stdout.trim()
    await run(`campaigns ${argv}`)
    expect(seen.at(-1)).toMatchObject({ method, path: expect.stringContaining(`/bulk/campaigns/${id}${verb}`) })
  })

  it('may be watched by its name', async () => {
    const { run } = await atService()
    await run(create)
    await run('campaigns send News --yes')
    expect((await run('campaigns watch news')).exitCode).toBe(0)
  })

  it('is rejected for an unknown or ambiguous name, before anything changes', async () => {
    const { run, changes } = await atService()
    const ids = [(await run(create)).stdout.trim(), (await run(create)).stdout.trim()]
    const before = changes().length
    const several = await run('campaigns delete News --yes')
    expect([several.exitCode, several.stderr]).toEqual([2, expect.stringContaining(ids.join(', '))])
    const unknown = await run('campaigns send Nothing --yes --json')
    expect([unknown.exitCode, JSON.parse(unknown.stderr).error.code]).toEqual([3, 'NOT_FOUND'])
    expect(changes()).toHaveLength(before)
  })
})

describe('msgctl campaigns watch', () => {
  /**
   * A service with a campaign to 40 people. Each read finds a quarter of the messages more sent, unless it is paused.
   */
  async function sending(status = 'sending') {
    const id = '0190c1d2-0000-7000-8000-0000000000aa'
    let sent = 0
    const campaign = () => {
      const stats = { total: 40, sent, delivered: 0, read: 0, failed: 0 }
      const isDone = sent === 40
      return { id, name: 'News', template: 'Hello', status: isDone ? 'completed' : status, stats, scheduledAt: null }
    }
    const workspace = await scripted({
      'GET /api/v1/bulk/campaigns/:id': () => {
        if (status === 'sending') sent = Math.min(40, sent + 10)
        return { body: { success: true, ...campaign() } }
      },
    })
    return { ...workspace, id }
  }

  it('writes lines with the rate and the time left where there is no terminal', async () => {
    const { run, id } = await sending()
    const { stderr, stdout, exitCode } = await run(`campaigns watch ${id} --output plain --fields stats.sent`)
    // Polls are two seconds apart and lines at least ten; the last line is always written.
    expect(stderr).toBe('sending  25 %  10 of 40\ncompleted 100 %  40 of 40\n')
    expect([stdout, exitCode]).toEqual(['40\n', 0])
  })

  it('draws a bar in its place on a terminal', async () => {
    const { run, id } = await sending()
    const { stderr } = await run(`campaigns watch ${id}`, { notesOnTerminal: true })
    const drawn = stderr.split('\r\u001b[K').slice(1)
    expect(drawn).toEqual([
      'sending [▒▒▒▒▒░░░░░░░░░░░░░░░]  25 %  10 of 40',
      'sending [▒▒▒▒▒▒▒▒▒▒░░░░░░░░░░]  50 %  20 of 40, 300 a minute, 4 s left',
      'sending [▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒░░░░░]  75 %  30 of 40, 300 a minute, 2 s left',
      'completed [▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒] 100 %  40 of 40\n',
    ])
  })

  it('ends with 9 when some messages failed, and notes how to list them', async () => {
    const { run } = await atService()
    const recipients = [0, 1, 2, 3].map((n) => `1202555010${n}`).join()
    const create = `campaigns create News Hello --recipients ${recipients} --output plain --fields id`
    const id = (await run(create)).stdout.trim()
    await run(`campaigns send ${id} --yes`)
    const { stderr, exitCode } = await run(`campaigns watch ${id}`)
    expect(exitCode).toBe(9)
    expect(stderr).toContain('4 of 4, 1 failed')
    expect(stderr).toContain(`msgctl campaigns recipients ${id} --failed`)
    const { stdout } = await run(`campaigns recipients ${id} --failed --output csv --fields phone,error`)
    expect(stdout).toBe('phone,error\n12025550101,The recipient is not on the network.\n')
  })

  it('detaches on Ctrl-C with a note, and leaves the campaign running', async () => {
    const { run, id, changes } = await sending()
    const before = changes().length
    const stop = new AbortController()
    const { stderr, exitCode } = await run(`campaigns watch ${id}`, { signal: stop.signal, onWait: () => stop.abort() })
    expect(exitCode).toBe(130)
    expect(stderr).toContain(`Detached; the campaign continues. Watch it again with: msgctl campaigns watch ${id}\n`)
    expect(changes()).toHaveLength(before)
    const again = new AbortController()
    const isMachineReadable = { signal: again.signal, onWait: () => again.abort() }
    const ran = await run(`campaigns watch ${id} --json`, isMachineReadable)
    expect([ran.exitCode, JSON.parse(ran.stderr).error.code]).toEqual([130, 'INTERRUPTED'])
  })

  it('waits for a paused campaign until the timeout', async () => {
    const { run, id, machine } = await sending('paused')
    const start = machine.clock.now()
    const { stderr, exitCode } = await run(`campaigns watch ${id} --timeout 2m`)
    expect([exitCode, machine.clock.now() - start]).toEqual([12, 120_000])
    expect(stderr).toContain('paused   0 %  0 of 40\n')
    expect(stderr).toContain('Timed out: the campaign is paused. It continues.')
  })

  it('fails for a draft and for a cancelled campaign', async () => {
    const { run } = await atService()
    const make = 'campaigns create News Hello --recipients 12025550100 --output plain --fields id'
    const draft = (await run(make)).stdout.trim()
    const watched = await run(`campaigns watch ${draft}`)
    expect([watched.exitCode, watched.stderr]).toEqual([11, expect.stringContaining('is not scheduled.')])
    const planned = (await run(`${make} --at 2027-01-31T09:00:00Z --yes`)).stdout.trim()
    await run(`campaigns cancel ${planned} --yes`)
    const cancelled = await run(`campaigns watch ${planned} --json`)
    expect(cancelled).toMatchObject({ exitCode: 11, stdout: '' })
    expect(JSON.parse(cancelled.stderr).error).toMatchObject({ code: 'WAIT_FAILED', details: { status: 'cancelled' } })
    expect((await run('campaigns watch 0190c1d2-0000-7000-8000-0000000000ff')).exitCode).toBe(3)
  })

  it('continues when the service is temporarily unavailable', async () => {
    retryAtOnce()
    const id = '0190c1d2-0000-7000-8000-0000000000aa'
    let reads = 0
    const { origin } = await scriptedServer({
      'GET /api/v1/bulk/campaigns/:id': () => {
        reads += 1
        if (reads > 1 && reads < 5) return refusal(500, 'INTERNAL_ERROR', 'Something went wrong.')
        const stats = { total: 1, sent: reads > 1 ? 1 : 0, delivered: 0, read: 0, failed: 0 }
        return { body: { id, status: reads > 1 ? 'completed' : 'sending', stats, name: 'News' } }
      },
    })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    expect((await testMachine().run(['campaigns', 'watch', id], { env })).exitCode).toBe(0)
  })
})
