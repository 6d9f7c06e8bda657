import { expect, it } from 'vitest'
import { messageSecretKind } from '../vault/key-kinds.ts'
import { MessageSecrets } from './message-secrets.ts'

const hourMs = 3_600_000

function newVault() {
  const values = new Map<string, unknown>()
  return {
    values,
    stageValue(kind: number, id: string, value: unknown) {
      expect(kind).toBe(messageSecretKind)
      if (value === null) values.delete(id)
      else values.set(id, value)
    },
    readValues: async (_kind: number, ids: readonly string[]) =>
      new Map([...values].filter(([id]) => ids.includes(id))),
    readAllValues: async () => new Map(values),
  }
}

it('keeps the secrets of messages for a day', async () => {
  const vault = newVault()
  let nowMs = 1000 * hourMs
  const secrets = new MessageSecrets(vault, () => nowMs)
  const secret = { secret: Buffer.alloc(32, 1), authors: ['999@lid'] }
  await secrets.keep('FIRST', secret)
  expect(await secrets.find('FIRST')).toMatchObject(secret)
  expect(await secrets.find('OTHER')).toBeNull()
  nowMs += 24 * hourMs - 1
  expect(await secrets.find('FIRST')).toMatchObject(secret)
  nowMs += 1
  expect(await secrets.find('FIRST')).toBeNull()
  // The next one deletes those that are older.
  await secrets.keep('SECOND', secret)
  await expect.poll(() => [...vault.values.keys()]).toEqual(['SECOND'])
})

it('keeps the secret of the first author of an id', async () => {
  const secrets = new MessageSecrets(newVault())
  const first = { secret: Buffer.alloc(32, 1), authors: ['999@lid'] }
  await secrets.keep('ID', first)
  await secrets.keep('ID', { secret: Buffer.alloc(32, 2), authors: ['888@lid', '12025550199@s.whatsapp.net'] })
  expect(await secrets.find('ID')).toMatchObject(first)
  const again = { secret: Buffer.alloc(32, 3), authors: ['999@lid', '12025550100@s.whatsapp.net'] }
  await secrets.keep('ID', again)
  expect(await secrets.find('ID')).toMatchObject(again)
})
