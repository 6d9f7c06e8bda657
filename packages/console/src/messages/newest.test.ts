import { describe, expect, it } from 'vitest'
import { withNewest } from './newest.ts'

const row = (id: string, status = 'sent') => ({ id, status })

describe('a long list with its newest rows', () => {
  it('has new rows first and changed ones in their place', () => {
    const rows = [row('c'), row('b'), row('a')]
    const newest = [row('d'), row('c', 'read')]
    expect(withNewest(rows, newest)).toEqual([row('d'), row('c', 'read'), row('b'), row('a')])
  })

  it('stays as it is when nothing is newer', () => {
    expect(withNewest([row('b'), row('a')], [row('b')])).toEqual([row('b'), row('a')])
    expect(withNewest([row('a')], [])).toEqual([row('a')])
    expect(withNewest([], [row('a')])).toEqual([row('a')])
  })

  it('is null when rows may be missing between them', () => {
    expect(withNewest([row('b'), row('a')], [row('z'), row('y')])).toBeNull()
  })
})
