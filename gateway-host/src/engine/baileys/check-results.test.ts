import { describe, expect, it } from 'vitest'
import { resultsOf } from './check-results.ts'
import { stanza } from './stanzas.ts'

const user = (attrs: Record<string, string>, type: string, repeated?: string) =>
  stanza('user', attrs, [stanza('contact', { type }, repeated)])
const jane = { exists: true, address: { kind: 'phone', digits: '12025550100' }, lid: '912025550100@lid' }

describe('what the network says about numbers', () => {
  it('names people by their hidden ids, with the number beside them', () => {
    const [jid, phone] = ['912025550100@lid', '12025550100@s.whatsapp.net']
    const found = resultsOf([user({ jid, pn_jid: phone }, 'in', '+12025550100')], ['12025550100'])
    expect(found).toEqual(new Map([['12025550100', jane]]))
  })

  it('belongs to the number in its place when it repeats none', () => {
    const attrs = { jid: '912025550100@lid', pn_jid: '12025550100@s.whatsapp.net' }
    const found = resultsOf([user({}, 'out'), user(attrs, 'in')], ['12025550101', '12025550100'])
    expect(found.get('12025550101')).toEqual({ exists: false })
    expect(found.get('12025550100')).toEqual(jane)
  })

  it('leaves open what the network can say nothing about', () => {
    expect(resultsOf([user({}, 'invalid', '+1202')], ['1202'])).toEqual(new Map())
    expect(resultsOf([user({}, 'in', '+12025550100')], ['12025550100'])).toEqual(new Map())
  })

  it.each([
    ['Brazil', '5511987654321', '551187654321'],
    ['Mexico', '5215512345678', '525512345678'],
    ['Argentina', '5491123456789', '541123456789'],
  ])('is one person for both forms of a number in %s', (_, long, short) => {
    const attrs = { jid: '77@lid', pn_jid: `${short}@s.whatsapp.net` }
    const found = resultsOf([user(attrs, 'in', `+${short}`)], [long, short])
    const person = { exists: true, address: { kind: 'phone', digits: short }, lid: '77@lid' }
    expect([found.get(long), found.get(short)]).toEqual([person, person])
  })
})
