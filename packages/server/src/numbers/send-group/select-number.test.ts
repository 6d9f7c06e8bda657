import type { NumberStatus } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { type NumberCandidate, type NumberSelector, selectAny, senderSelector } from './select-number.ts'
import { emptyContext, noGroup } from './send-group-rules.ts'

function number(id: string, status: NumberStatus, isDefault = false, held = false): NumberCandidate {
  return { id, status, isDefault, held }
}
const nothing = { ownContainerId: null, containerId: null }
const notWorking = ['SCAN_QR_CODE', 'STARTING', 'STOPPED', 'FAILED', 'UNREACHABLE'] as const

function chooseSender(numbers: readonly NumberCandidate[], selector: NumberSelector) {
  return senderSelector(numbers, selector, noGroup, emptyContext)('12025550100')
}

describe('the number of a send', () => {
  const numbers = [number('a', 'WORKING'), number('b', 'WORKING', true), number('c', 'STOPPED')]

  it('is the default one while it works', () => {
    expect(chooseSender(numbers, nothing)).toEqual({ is: 'chosen', number: numbers[1], pinned: false })
  })

  it.each(notWorking)('is the oldest that works while the default one is %s', (status) => {
    const others = [number('x', 'STOPPED'), number('a', 'WORKING'), number('b', 'WORKING')]
    const choice = chooseSender([number('d', status, true), ...others], nothing)
    expect(choice).toEqual({ is: 'chosen', number: others[1], pinned: false })
  })

  it('is the one asked for, pinned, even when another is the default', () => {
    const choice = chooseSender(numbers, { ownContainerId: null, containerId: 'a' })
    expect(choice).toEqual({ is: 'chosen', number: numbers[0], pinned: true })
  })

  it('is the own one of a number’s key, whatever was asked for', () => {
    const choice = chooseSender(numbers, { ownContainerId: 'a', containerId: 'b' })
    expect(choice).toEqual({ is: 'chosen', number: numbers[0], pinned: true })
  })

  it.each([
    ['an own number that does not work', { ownContainerId: 'c', containerId: null }, 'none'],
    ['a number asked for that does not work', { ownContainerId: null, containerId: 'c' }, 'none'],
    ['a number that is not there', { ownContainerId: null, containerId: 'z' }, 'unknown'],
  ])('has no stand-in for %s', (_what, wish, is) => {
    expect(chooseSender(numbers, wish)).toEqual({ is })
  })

  it('is one whose queue is held only when no other works, or it was asked for', () => {
    const held = number('d', 'WORKING', true, true)
    const free = number('a', 'WORKING')
    expect(chooseSender([held, free], nothing)).toEqual({ is: 'chosen', number: free, pinned: false })
    expect(chooseSender([held, number('a', 'FAILED')], nothing)).toMatchObject({ number: { id: 'd' } })
    expect(chooseSender([held, free], { ...nothing, containerId: 'd' })).toMatchObject({ number: { id: 'd' } })
  })

  it('is none when none works, or there is none', () => {
    expect(chooseSender([number('a', 'FAILED', true)], nothing)).toEqual({ is: 'none' })
    expect(chooseSender([], nothing)).toEqual({ is: 'none' })
  })
})

describe('the number of a look', () => {
  const numbers = [number('a', 'STOPPED'), number('b', 'FAILED', true)]

  it('is the default one, working or not, else the oldest', () => {
    expect(selectAny(numbers, nothing)).toMatchObject({ number: { id: 'b' }, pinned: false })
    expect(selectAny([number('a', 'STOPPED'), number('c', 'WORKING')], nothing)).toMatchObject({
      number: { id: 'a' },
    })
  })

  it('is the one asked for, or the own one of a number’s key', () => {
    expect(selectAny(numbers, { ownContainerId: null, containerId: 'a' })).toMatchObject({ number: { id: 'a' } })
    expect(selectAny(numbers, { ownContainerId: 'a', containerId: 'b' })).toMatchObject({ number: { id: 'a' } })
  })

  it('distinguishes having no number from asking for an unknown one', () => {
    expect(selectAny([], nothing)).toEqual({ is: 'none' })
    expect(selectAny(numbers, { ownContainerId: null, containerId: 'z' })).toEqual({ is: 'unknown' })
  })
})
