import { describe, expect, it } from 'vitest'
import { parseLid, toLid } from './lid.ts'
import { findPerson, isHidden, type Person, personAt, specialNumber, specialPeople, toPersonAddress } from './people.ts'

const ordinary = findPerson('12025550199')

describe('who is who', () => {
  it.each([
    ['12025550100', '0100'],
    ['19895550123', '0123'],
    ['12025551100', null],
    ['11025550100', null],
    ['442025550100', null],
    ['120255501000', null],
  ])('takes the number %s for the special number %s', (digits, special) => {
    expect(specialNumber(digits)).toBe(special)
  })

  it('names everybody after the last four digits and lets everybody exist', () => {
    const person = findPerson('4915112345678')
    expect(person).toMatchObject({
      name: 'Sim 5678',
      onNetwork: true,
      reception: 'taken',
      startsOnline: true,
      hidden: 'never',
    })
  })

  it.each(Object.keys(specialPeople))('makes the person %s different from everybody else', (last4) => {
    const { digits: _, name: __, ...special } = findPerson(`1202555${last4}`)
    const { digits: ___, name: ____, ...usual } = ordinary
    expect(special).not.toEqual(usual)
  })

  it.each<[string, Partial<Person>]>([
    ['0101', { onNetwork: false }],
    ['0102', { checkTimesOut: true }],
    ['0110', { reception: 'taken_then_fails' }],
    ['0111', { reception: 'refused' }],
    ['0112', { reception: 'times_out_sent' }],
    ['0113', { reception: 'times_out_not_sent' }],
    ['0120', { startsOnline: false }],
    ['0124', { receiptFirst: true }],
    ['0140', { hidden: 'until_contacts_are_synced' }],
    ['0141', { hidden: 'for_ever' }],
    ['0150', { acceptMs: 20_000 }],
    ['0160', { reception: 'restricts_the_account' }],
  ])('gives %s the behaviour of the table', (last4, behaviour) => {
    expect(findPerson(`1202555${last4}`)).toMatchObject(behaviour)
  })
})

describe('hidden ids', () => {
  it.each(['12025550140', '4915112345678', '9999999'])(
    'lead back to %s, in the form that the API accepts',
    (digits) => {
      expect(toLid(digits)).toMatch(/^\d{1,32}@lid$/)
      expect(toLid(digits)).not.toContain(digits)
      expect(parseLid(toLid(digits))).toBe(digits)
    },
  )

  it.each(['123@lid', '12345678901@lid', 'x@lid', '77@lid'])('does not know whose %s is', (lid) => {
    expect(personAt({ kind: 'lid', id: lid })).toBeNull()
  })

  it.each([
    ['12025550100', false, false],
    ['12025550140', false, true],
    ['12025550140', true, false],
    ['12025550141', false, true],
    ['12025550141', true, true],
  ])('hides %s from a number with contacts synced: %s, as %s', (digits, synced, hidden) => {
    expect(isHidden(findPerson(digits), synced)).toBe(hidden)
    expect(toPersonAddress(findPerson(digits), synced).kind).toBe(hidden ? 'lid' : 'phone')
  })
})
