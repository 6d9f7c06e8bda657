import { initAuthCreds } from 'baileys'
import { expect, it } from 'vitest'
import { deviceCache } from './device-cache.ts'

it('keeps the devices of people for an hour, and those of the account for a day', async () => {
  const stored = new Map<string, unknown>()
  const vault = {
    creds: { ...initAuthCreds(), me: { id: '15550000001:1@s.whatsapp.net', lid: '915550000001:1@lid' } },
    async readValues(_kind: number, ids: readonly string[]) {
      return new Map(ids.flatMap((id) => (stored.has(id) ? [[id, stored.get(id)] as const] : [])))
    },
    stageValue: (_kind: number, id: string, value: unknown) => void stored.set(id, value),
  }
  let nowMs = 0
  const cache = deviceCache(vault, () => nowMs)
  const users = ['12025550100', '15550000001', '915550000001']
  for (const user of users) await cache.set(user, [{ user }])
  const known = async () => Object.keys((await cache.mget?.(users)) ?? {})
  nowMs = 3_599_999
  expect(await known()).toEqual(users)
  nowMs = 3_600_000
  expect(await known()).toEqual(['15550000001', '915550000001'])
  nowMs = 86_400_000
  expect(await known()).toEqual([])
})
