import { describe, expect, it } from 'vitest'
import { csvLine } from './sanitize.ts'

describe('a value of CSV', () => {
  it.each([
    ['=HYPERLINK("http://evil","x")', `"'=HYPERLINK(""http://evil"",""x"")"`],
    ['+1+1', "'+1+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'=1"],
    ['\u001b[31m=1', "'=1"],
    ['\u001b]52;c;eA==\u0007x\u0007', 'x'],
    ['a=1', 'a=1'],
    ['12025550100', '12025550100'],
    ['two\nlines', '"two\nlines"'],
    ['', ''],
  ])('%j is written as %j', (value, line) => {
    expect(csvLine([value])).toBe(line)
  })
})
