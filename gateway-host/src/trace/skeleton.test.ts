import { describe, expect, it } from 'vitest'
import { Names, skeletonOf } from './skeleton.ts'

const jane = '12025550100'

describe('the skeleton of a stanza', () => {
  it('keeps tags, names of attributes, safe values and devices', () => {
    const enc = { tag: 'enc', attrs: { v: '2', type: 'pkmsg', count: '1' }, content: new Uint8Array(48) }
    const to = { tag: 'to', attrs: { jid: `${jane}:7@s.whatsapp.net` }, content: [enc] }
    const attrs = { id: '3EB0AB12', to: '912025550100@lid', type: 'text', edit: '1', phash: '2:AbCdEfGh' }
    const stanza = { tag: 'message', attrs, content: [{ tag: 'participants', attrs: {}, content: [to] }] }
    expect(skeletonOf(stanza, new Names())).toEqual({
      tag: 'message',
      attrs: { id: 'id#1', to: 'lid#1', type: 'text', edit: '1', phash: 10 },
      children: [
        {
          tag: 'participants',
          children: [
            {
              tag: 'to',
              attrs: { jid: 'pn#1:7' },
              children: [{ tag: 'enc', attrs: { v: '2', type: 'pkmsg', count: '1' }, length: 48 }],
            },
          ],
        },
      ],
    })
  })

  it('names the same person, message and group by the same number each time', () => {
    const names = new Names()
    const attrsOf = (attrs: Record<string, string>) => skeletonOf({ tag: 'x', attrs }, names).attrs
    expect(attrsOf({ from: `${jane}@s.whatsapp.net`, id: 'ABCDE' })).toEqual({ from: 'pn#1', id: 'id#1' })
    expect(attrsOf({ from: '12025550101@s.whatsapp.net', id: 'FGHIJ' })).toEqual({ from: 'pn#2', id: 'id#2' })
    const again = { to: `${jane}:3@s.whatsapp.net`, participant: '1203630000000@g.us', id: 'ABCDE' }
    expect(attrsOf(again)).toEqual({ to: 'pn#1:3', participant: 'group#1', id: 'id#1' })
    expect(attrsOf({ to: '@s.whatsapp.net' })).toEqual({ to: '@s.whatsapp.net' })
    expect(attrsOf({ from: 's.whatsapp.net', to: 'status@broadcast', id: '0' })).toEqual({
      from: 's.whatsapp.net',
      to: 'status@broadcast',
      id: '0',
    })
  })

  it.each([
    ['a name', { notify: 'Jane Doe' }],
    ['a number in a safe attribute', { type: jane }],
    ['a number behind a word', { context: `with-${jane}` }],
    ['words in a safe attribute', { reason: 'we are closed today' }],
    ['a list of addresses', { jids: `${jane}@s.whatsapp.net,12025550101@s.whatsapp.net` }],
    ['an attribute that is named after a person', { [`${jane}@lid`]: 'x' }],
  ])('keeps no %s', (_, attrs) => {
    const line = JSON.stringify(skeletonOf({ tag: 'x', attrs }, new Names()))
    expect(line).not.toMatch(/Jane|closed|\d{5}/)
  })

  it('keeps lengths of contents, and says how many of very many children it leaves out', () => {
    const child = { tag: 'user', attrs: {}, content: 'hello' }
    const { children, more } = skeletonOf({ tag: 'list', attrs: {}, content: Array(60).fill(child) }, new Names())
    expect(children?.[0]).toEqual({ tag: 'user', length: 5 })
    expect([children?.length, more]).toEqual([50, 10])
  })
})
