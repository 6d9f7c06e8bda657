import { describe, expect, it } from 'vitest'
import { readFragment } from './fragment.ts'

describe('the fragment of a link', () => {
  it.each([
    ['#welcome=abc-123_x', { kind: 'welcome', token: 'abc-123_x' }],
    ['#join=abc', { kind: 'join', token: 'abc' }],
    ['#reset=abc', { kind: 'reset', token: 'abc' }],
    ['#verify=abc', { kind: 'verify', token: 'abc' }],
    ['', null],
    ['#content', null],
    ['#other=abc', null],
    ['#join=', null],
    ['#join=<script>', null],
    [`#join=${'a'.repeat(301)}`, null],
  ])('%s is read', (hash, link) => {
    expect(readFragment(hash)).toEqual(link)
  })
})
