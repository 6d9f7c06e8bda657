import { EventEmitter } from 'node:events'
import type { CheckResult } from '@msgctl/network/gateway'
import { jidDecode, type WASocket } from 'baileys'
import { expect, it } from 'vitest'
import { isKnown } from '../queries.ts'
import { Addressing } from './addressing.ts'
import { HiddenIds } from './hidden-ids.ts'

const [first, second] = ['12025550100', '12025550101']
const toJid = (digits: string) => `${digits}@s.whatsapp.net`

/** A number with the pairs that it stored, on a network that says this about people. */
function openPeople(network: Record<string, CheckResult>) {
  const stored: Record<string, string> = {}
  const asked: string[] = []
  const storeLIDPNMappings = async (pairs: readonly { readonly lid: string; readonly pn: string }[]) => {
    for (const { lid, pn } of pairs) {
      const [lidUser = '', pnUser = ''] = [jidDecode(lid)?.user, jidDecode(pn)?.user]
      if (stored[pnUser] === lidUser) continue
      stored[pnUser] = lidUser
      stored[`${lidUser}_reverse`] = pnUser
    }
  }
  const toLid = (user: string | undefined) => (user ? `${user}@lid` : null)
  const lidMapping = {
    storeLIDPNMappings,
    getLIDForPN: async (pn: string) => toLid(stored[jidDecode(pn)?.user ?? '']),
  }
  const keys = {
    get: async (_type: string, ids: string[]) => Object.fromEntries(ids.map((id) => [id, stored[id]])),
  }
  const socket = {
    ws: new EventEmitter(),
    authState: { keys },
    signalRepository: { lidMapping },
  } as unknown as WASocket
  const hiddenIds = new HiddenIds(socket, async (digits) => {
    asked.push(...digits)
    return new Map(digits.flatMap((one) => (network[one] ? [[one, network[one]] as const] : [])))
  })
  const vault = { isFenced: false, readValues: async () => new Map(), stageValue: () => undefined }
  const addressing = new Addressing(socket, vault, hiddenIds)
  const addressOf = async (digits: string) => (await addressing.of(toJid(digits)))[0].jid
  return { stored, asked, network, hiddenIds, addressOf, store: storeLIDPNMappings }
}

const person = (lid: string, digits: string): CheckResult => ({
  exists: true,
  lid,
  address: { kind: 'phone', digits },
})

it('is the one of the person who has the number now', async () => {
  const { asked, addressOf, store } = openPeople({ [first]: person('888@lid', first) })
  await store([{ lid: '999@lid', pn: toJid(first) }])
  expect(await addressOf(first)).toBe('999@lid')
  expect(asked).toEqual([])
  await store([{ lid: '999@lid', pn: toJid(second) }])
  expect(await addressOf(first)).toBe('888@lid')
  expect(await addressOf(second)).toBe('999@lid')
  expect(await addressOf(first)).toBe('888@lid')
  expect(asked).toEqual([first])
})

it('is none of a number that its person has left', async () => {
  const { hiddenIds, addressOf, store } = openPeople({ [first]: { exists: false } })
  await store([{ lid: '999@lid', pn: toJid(first) }])
  await store([{ lid: '999@lid', pn: toJid(second) }])
  expect(await isKnown(hiddenIds, toJid(first), 1000)).toBe(false)
  expect(await addressOf(first)).toBe(toJid(first))
})

it('is stored for the number as the network names it, and asked for once by another form', async () => {
  const [typed, real] = ['5511987654321', '551187654321']
  const { stored, asked, hiddenIds, addressOf } = openPeople({ [typed]: person('777@lid', real) })
  expect(await isKnown(hiddenIds, toJid(typed), 1000)).toBe(true)
  expect(stored).toEqual({ [typed]: '777', [real]: '777', '777_reverse': real })
  expect(await addressOf(typed)).toBe('777@lid')
  expect(await addressOf(real)).toBe('777@lid')
  expect(asked).toEqual([typed])
})

it('is stored from every check', async () => {
  const { stored, hiddenIds } = openPeople({ [first]: person('999@lid', first), [second]: { exists: false } })
  await hiddenIds.check([first, second])
  expect(stored).toEqual({ [first]: '999', '999_reverse': first })
})
