import { EventEmitter } from 'node:events'
import type { WASocket } from 'baileys'
import { expect, it } from 'vitest'
import { namespaceKind } from '../../../vault/key-kinds.ts'
import { Addressing } from './addressing.ts'

const [pn, lid] = ['12025550100@s.whatsapp.net', '999@lid']

it('remembers no name for a number that another host has', () => {
  const { addressing, vault } = openAddressing()
  vault.isFenced = true
  expect(() => addressing.accepted({ jid: lid, attrs: {} }, [{ jid: pn, attrs: {} }])).not.toThrow()
})

it('is by the hidden id for everybody once three people of an account took it instead of the number', async () => {
  const { addressing, vault } = openAddressing()
  vault.values.set('account', 'phone')
  const byLid = (user: string) => ({ jid: `${user}@lid`, attrs: {} })
  const preferred = async () => (await addressing.of(pn))[0].jid
  for (const user of ['1', '2', '2']) addressing.accepted(byLid(user), [{ jid: `${user}@s.whatsapp.net`, attrs: {} }])
  expect(await preferred()).toBe(pn)
  addressing.accepted({ jid: '4@s.whatsapp.net', attrs: {} }, [byLid('4')])
  expect(await preferred()).toBe(pn)
  addressing.accepted(byLid('3'), [{ jid: '3@s.whatsapp.net', attrs: {} }])
  expect(await preferred()).toBe(lid)
})

/** The addressing of a number with these values. */
function openAddressing() {
  const values = new Map<string, unknown>()
  const vault = {
    isFenced: false,
    values,
    readValues: async (_kind: number, ids: readonly string[]) =>
      new Map([...values].filter(([id]) => ids.includes(id))),
    stageValue(kind: number, id: string, value: unknown) {
      expect(kind).toBe(namespaceKind)
      if (vault.isFenced) throw new Error('fenced')
      values.set(id, value)
    },
  }
  const hiddenIds = { find: async () => ({ exists: true, lid }) }
  const socket = { ws: new EventEmitter() }
  return { vault, addressing: new Addressing(socket as unknown as WASocket, vault, hiddenIds) }
}
