import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { testMachine } from '../../testing/machine.ts'
import { startService } from '../../testing/service.ts'
import { readReminderRows } from './csv-rows.ts'

const makeWorkspace = await startService()

const header = 'phone,sendAt,label,timeZone,name\n'
const good = '+12025550100,2027-01-31T09:00:00+01:00,rent,Europe/Berlin,Jane\n'

/** A machine that knows the service and has the rows in a file. */
async function importing(csv: string) {
  const { machine, run, seen } = await makeWorkspace()
  writeFileSync(path.join(machine.cwd, 'rows.csv'), csv)
  const ran = await run(['reminders', 'import', 'Dear {{name}}', '--csv', 'rows.csv', '--yes'])
  const sent = seen.filter(({ method }) => method === 'POST')
  return { ran, sent }
}

describe('rows of reminders', () => {
  it.each([
    ['commas', `${header}${good}`],
    ['semicolons', `\uFEFF${`${header}${good}`.replaceAll(',', ';')}`],
    [
      'other cases and orders',
      'NAME\tSendAt\tPHONE\tLabel\tTIMEZONE\nJane\t2027-01-31T09:00:00+01:00\t+12025550100\trent\tEurope/Berlin',
    ],
  ])('are read from a file with %s; columns of other names are variables', async (what, csv) => {
    const { valid: rows, errors } = await readReminderRows(testMachine().world({ stdin: csv }), '-')
    const variables = what.startsWith('other') ? { NAME: 'Jane' } : { name: 'Jane' }
    expect(errors).toEqual([])
    expect(rows).toEqual([
      {
        ...{ line: 2, phone: '+12025550100', sendAt: '2027-01-31T09:00:00+01:00', label: 'rent' },
        ...{ timeZone: 'Europe/Berlin', variables },
      },
    ])
  })

  it.each([
    ['a phone that is none', 'unknown,2027-01-31T09:00:00Z,,,', 'unknown is not a phone number'],
    ['a hidden id', '77123@lid,2027-01-31T09:00:00Z,,,', '77123@lid is not a phone number'],
    ['a phone of seven digits', '1234567,2027-01-31T09:00:00Z,,,', '1234567 is not a phone number'],
    ['no phone', ',2027-01-31T09:00:00Z,,,', 'an empty cell is not a phone number'],
    [
      'a time without offset',
      '12025550100,2027-01-31T09:00:00,,,',
      '2027-01-31T09:00:00 is not a time with Z or an offset',
    ],
    ['a time that is none', '12025550100,2027-13-31T09:00:00Z,,,', '2027-13-31T09:00:00Z is not a time'],
    [
      'a long label',
      `12025550100,2027-01-31T09:00:00Z,${'x'.repeat(256)},,`,
      'the label is longer than 255 characters',
    ],
    ['a long value', `12025550100,2027-01-31T09:00:00Z,,,${'x'.repeat(1001)}`, 'name is longer than 1000 characters'],
    ['a cell too many', '12025550100,2027-01-31T09:00:00Z,,,Jane,Doe', 'has 6 columns, the first line has 5'],
  ])('with %s are named with their line before anything is sent', async (_what, row, fault) => {
    const { ran, sent } = await importing(`${header}${good}${row}\n${good}`)
    expect(ran.stderr).toContain('line 3: ')
    expect(ran.stderr).toContain(fault)
    expect(ran.stderr).toContain('1 row is invalid. Nothing was changed.')
    expect(ran.stderr).not.toContain('line 4')
    expect(ran.exitCode).toBe(2)
    expect(sent).toEqual([])
  })

  it.each([
    ['no phone', 'sendAt\n2027-01-31T09:00:00Z', 'The first line has no column phone.'],
    ['no time', 'phone\n12025550100', 'The first line has no column sendAt.'],
    ['no row', header, 'There are no rows below the first line.'],
  ])('in a file with %s are refused', async (_what, csv, fault) => {
    const { ran, sent } = await importing(csv)
    expect(ran.stderr).toContain(fault)
    expect(ran.exitCode).toBe(2)
    expect(sent).toEqual([])
  })

  it('are scheduled together, and those in the past are reported with their line', async () => {
    const { ran, sent } = await importing(`${header}${good}12025550121,2020-01-31T09:00:00Z,,,\n`)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.body).toEqual({
      message: 'Dear {{name}}',
      strictVariables: true,
      rows: [
        {
          ...{ phone: '+12025550100', sendAt: '2027-01-31T09:00:00+01:00', label: 'rent' },
          ...{ timeZone: 'Europe/Berlin', variables: { name: 'Jane' } },
        },
        { phone: '12025550121', sendAt: '2020-01-31T09:00:00Z', variables: { name: '' } },
      ],
    })
    expect(ran.stderr).toContain('line 3: skipped 12025550121')
    expect(ran.exitCode).toBe(9)
  })

  it('that the service rejects are reported with their line', async () => {
    const { ran } = await importing(`${header}${good}\n12025550101,2027-01-31T09:00:00Z,,Mars/Base,\n`)
    expect(ran.stderr).toContain('line 4: timeZone')
    expect(ran.exitCode).toBe(2)
  })
})
