import { describe, expect, it } from 'vitest'
import { csvCell, findDelimiter } from './csv.ts'

describe('the delimiter of a file', () => {
  it.each([
    ['phone,name', ','],
    ['phone;name', ';'],
    ['phone\tname', '\t'],
    ['phone', ','],
    ['', ','],
    ['"phone"\n1;2', ','],
    ['"Last, first, title";phone', ';'],
    ['a;b,c', ';'],
    ['\ufeff\r\n\nphone;name\n1,2,3,4', ';'],
    ['"two\nlines, and a comma";phone', ';'],
    ['"not closed;phone;name', ','],
  ])('of %j is %j', (text, delimiter) => {
    expect(findDelimiter(text)).toBe(delimiter)
  })
})

describe('a cell of CSV', () => {
  it.each([
    ['Anna', 'Anna'],
    ['', ''],
    ['a=1', 'a=1'],
    ['a, b', '"a, b"'],
    ['say "yes"', '"say ""yes"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+12025550100', "'+12025550100"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['=a,b', `"'=a,b"`],
    ['=HYPERLINK("http://evil","x")', `"'=HYPERLINK(""http://evil"",""x"")"`],
  ])('%j is written as %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell)
  })
})
