import { describe, expect, it } from 'vitest'
import { hasTrigram, recipientPart } from './search.ts'

describe('the index of trigrams', () => {
  it.each(['abc', '0199', 'سلام', '25%', ' qz'])('finds %j', (part) => {
    expect(hasTrigram(part)).toBe(true)
  })

  it.each(['5%', 'ab', 'ß', '!', '- -'])('does not find %j', (part) => {
    expect(hasTrigram(part)).toBe(false)
  })
})

describe('a search text', () => {
  it.each([
    ['+1 (202) 555-0100', '12025550100'],
    ['555-01', '55501'],
    ['555.01', '55501'],
    ['0100', '0100'],
    ['Order 7', 'order 7'],
    ['123@LID', '123@lid'],
    ['+', '+'],
    ['- -', '- -'],
  ])('%j is searched in recipients as %j', (text, part) => {
    expect(recipientPart(text)).toBe(part)
  })
})
