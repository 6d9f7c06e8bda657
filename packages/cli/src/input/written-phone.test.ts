import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { startService } from '../testing/service.ts'
import { describeReadings, readWrittenPhones } from './written-phone.ts'

async function read(text: string, lid = true) {
  const [written] = await readWrittenPhones([text], { lid })
  return written ?? expect.fail()
}

describe('a phone that a person writes', () => {
  it.each([
    ['+12025550100', '12025550100'],
    ['+1 (202) 555-0100', '12025550100'],
    ['0041 44 668 18 00', '41446681800'],
    ['+41555501', '41555501'],
    ['123456789@lid', '123456789@lid'],
  ])('%s says its country itself', async (text, phone) => {
    expect(await read(text)).toEqual({ text, phone, fault: undefined, readAs: undefined })
  })

  it.each([
    ['12025550100', '+1 (United States)'],
    ['1-202-555-0100', '+1 (United States)'],
    ['41446681800', '+41 (Switzerland)'],
    // The network's ids of these countries differ from their numbers, by a digit.
    ['5215512345678', '+52 (Mexico)'],
    ['553181234567', '+55 (Brazil)'],
    // A fixed line, which has fewer digits than a mobile number.
    ['4930123456', '+49 (Germany)'],
  ])('%s is read as a number of %s', async (text, readAs) => {
    expect(await read(text)).toMatchObject({ fault: undefined, readAs })
  })

  it.each([
    ['(415) 555-0100', /has brackets and no \+: write it with \+ and the country code/],
    ['2025550100', /^2025550100 has too few digits for \+20 \(Egypt\): write it with \+/],
    ['415 555 0100', /has too few digits for \+41 \(Switzerland\)/],
    // A number of Boston; the country code has several countries.
    ['6175550100', /has too few digits for \+61/],
    ['99912345678', /begins with no country code/],
    ['Jane', /^Jane is not a phone number$/],
    ['00', /is not a phone number/],
    ['123456@lid', /is not a phone number/],
  ])('%s is refused', async (text, fault) => {
    expect(await read(text, false)).toMatchObject({ phone: null, fault: expect.stringMatching(fault) })
  })

  it('is described with the others of a list, most frequent country first', async () => {
    const list = ['12025550100', '41446681800', '41446681801', '+4930123456']
    const written = await readWrittenPhones(list, { lid: true })
    expect(describeReadings(written)).toBe('3 rows without +: 2 read as +41 (Switzerland), 1 as +1 (United States).')
    expect(describeReadings(written.slice(1))).toBe('2 rows without +, read as +41 (Switzerland).')
    expect(describeReadings(written.slice(3))).toBeUndefined()
  })
})

const makeWorkspace = await startService()
const local = ['phone,sendAt', '(415) 555-0100,2030-01-01T00:00:00Z', '+12025550110,2030-01-01T00:00:00Z'].join('\n')

/** A workspace with a list of two people, one of whom is written as a number within the country. */
async function withList() {
  const workspace = await makeWorkspace()
  writeFileSync(path.join(workspace.machine.cwd, 'local.csv'), local)
  return workspace
}

describe('a local number', () => {
  it.each([
    [['send', '(415) 555-0100', 'hi']],
    [['send', '2025550100', 'hi']],
    [['send', 'poll', '2025550100', 'Tea?', 'yes', 'no']],
    [['otp', 'send', '2025550100']],
    [['reminders', 'create', '2025550100', 'hi', '--at', '+2h']],
    [['reminders', 'import', 'hi', '--csv', 'local.csv', '--yes']],
    [['campaigns', 'create', 'News', 'hi', '--csv', 'local.csv']],
    [['campaigns', 'preview', 'hi', '--recipients', '(202) 555-0100']],
    [['contacts', 'opt-out', '--file', 'local.csv', '--yes']],
    [['batch', 'hi', '--file', 'local.csv', '--yes']],
  ])('is refused before anything is sent: %j', async (argv) => {
    const { run, changes } = await withList()
    const { exitCode, stderr } = await run(argv)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('write it with + and the country code')])
    expect(changes()).toEqual([])
  })

  it('is named by validate, and by batch, which can leave it out', async () => {
    const { run, changes } = await withList()
    const checked = await run('validate --file local.csv')
    expect([checked.stdout, checked.stderr]).toEqual([
      expect.stringContaining('invalid_format'),
      expect.stringContaining('line 2: (415) 555-0100 has brackets and no +'),
    ])
    const { exitCode, stderr } = await run('batch hi --file local.csv --yes --skip-invalid')
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('line 2: (415) 555-0100 has brackets and no +')])
    expect(changes().at(-1)).toMatchObject({ recipients: ['12025550110'] })
  })
})

describe('a number without +', () => {
  const sentence = '41446681800 has no +: it is read as +41 (Switzerland).'

  it('is written to by a script, which is warned in every format', async () => {
    const { run, changes } = await makeWorkspace()
    const { exitCode, stderr } = await run('send 41446681800 hi --json')
    expect([exitCode, stderr]).toEqual([0, `${sentence}\n`])
    expect(changes()).toEqual([{ phone: '41446681800', message: 'hi' }])
  })

  it.each([
    ['y\r', 0, 1],
    ['n\r', 2, 0],
  ])('is confirmed by a person, who presses %j', async (keys, exitCode, count) => {
    const { run, changes } = await makeWorkspace()
    const ran = await run('send 41446681800 hi', { keys })
    expect([ran.exitCode, ran.stderr]).toEqual([exitCode, expect.stringContaining(`${sentence} Continue? (y/N)`)])
    expect(changes()).toHaveLength(count)
  })

  it('is asked about once, by the question of a command that has one', async () => {
    const { run, machine, changes } = await makeWorkspace()
    writeFileSync(path.join(machine.cwd, 'people.txt'), '12025550100\n12025550110\n')
    const { exitCode, stderr } = await run('batch hi --file people.txt', { keys: 'y\r' })
    expect(exitCode).toBe(0)
    expect(stderr).toContain('2 rows without +, read as +1 (United States).\n')
    expect(stderr).not.toContain('Continue?')
    expect(changes()).toHaveLength(1)
  })
})
