import { describe, expect, it } from 'vitest'
import { findPhoneColumn, nameColumns, recipientsOf } from './columns.ts'
import { readCsv } from './read-csv.ts'

describe('a file of recipients', () => {
  it.each([
    ['commas', 'name,mobile\nAnna,+1 202 555 0100\n'],
    ['semicolons', 'name;mobile\nAnna;+1 202 555 0100\n'],
    ['tabs', 'name\tmobile\nAnna\t+1 202 555 0100\n'],
    ['a mark of the byte order and windows line ends', '\uFEFFname;mobile\r\nAnna;"+1 202 555 0100"\r\n\r\n'],
  ])('is read with %s, and its column of numbers is found', async (_, text) => {
    const sheet = await readCsv('people.csv', text)
    expect(sheet.columns).toEqual(['name', 'mobile'])
    expect(findPhoneColumn(sheet.columns, sheet.rows)).toBe(1)
    expect(recipientsOf(sheet, 1).good).toEqual([{ phone: '12025550100', variables: { name: 'Anna' } }])
  })

  it('is read with semicolons where its first line has more commas inside quotes', async () => {
    const sheet = await readCsv('people.csv', '"Last, first, title";mobile\n"Lovelace, Ada";+1 202 555 0100\n')
    expect([sheet.columns, sheet.rows]).toEqual([
      ['Last, first, title', 'mobile'],
      [['Lovelace, Ada', '+1 202 555 0100']],
    ])
  })

  it('has its lines without a number named as they are counted in the file', async () => {
    const sheet = await readCsv('people.csv', 'phone,name\n+12025550100,Anna\nnone,Omar\n,Lina\n')
    expect(recipientsOf(sheet, 0).bad).toEqual([
      { line: 3, text: 'none' },
      { line: 4, text: '' },
    ])
  })

  it('gets a name for each column', () => {
    expect(nameColumns([' name ', '', 'name'])).toEqual(['name', '2', 'name 3'])
  })
})
