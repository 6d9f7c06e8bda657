import asyncHooks, { AsyncLocalStorage, executionAsyncResource } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { setImmediate as later } from 'node:timers/promises'
import { addTransactionCapability, type SignalKeyStore } from 'baileys'
import { afterEach, describe, expect, it } from 'vitest'
import { SharedStorage, shareAsyncStorage } from './context-storage.ts'
import { silentLogger } from './silent-logger.ts'

/** Returns how many values a new asynchronous operation carries. */
const carried = () =>
  new Promise<number>((resolve) => {
    setImmediate(() => resolve(Object.getOwnPropertySymbols(executionAsyncResource()).length))
  })

describe('a shared storage', () => {
  it('has its value in everything that its work begins, and nowhere else', async () => {
    const storage = new SharedStorage<string>()
    const other = new SharedStorage<string>()
    const seen = await storage.run('a', async () => {
      await later()
      return other.run('b', async () => {
        await later()
        return [storage.getStore(), other.getStore()]
      })
    })
    expect(seen).toEqual(['a', 'b'])
    expect([storage.getStore(), other.getStore()]).toEqual([undefined, undefined])
  })

  it('gives its arguments to the work, and returns what it returns', () => {
    const storage = new SharedStorage<number>()
    expect(storage.run(2, (a: number, b: number) => a + b + (storage.getStore() ?? 0), 3, 4)).toBe(9)
    expect(() => storage.run(2, () => JSON.parse('{'))).toThrow(SyntaxError)
    expect(storage.getStore()).toBeUndefined()
  })

  it('has the innermost value, and the outer one after it', () => {
    const storage = new SharedStorage<string>()
    storage.run('outer', () => {
      expect(storage.run('inner', () => storage.getStore())).toBe('inner')
      expect(storage.getStore()).toBe('outer')
      expect(storage.exit(() => storage.getStore())).toBeUndefined()
    })
  })

  it('keeps the values of other storages when it is left or disabled', () => {
    const [storage, other] = [new SharedStorage<string>(), new SharedStorage<string>()]
    const look = () => [storage.getStore(), other.getStore()]
    storage.run('a', () => {
      other.run('b', () => {
        expect(storage.exit(look)).toEqual([undefined, 'b'])
        storage.enterWith('c')
        expect(look()).toEqual(['c', 'b'])
        storage.disable()
        expect(look()).toEqual([undefined, 'b'])
      })
      expect(look()).toEqual(['a', undefined])
    })
  })
})

describe('shareAsyncStorage', () => {
  const own = AsyncLocalStorage
  afterEach(() => {
    Object.assign(asyncHooks, { AsyncLocalStorage: own })
    syncBuiltinESMExports()
  })

  it('makes the operations of 200 numbers no heavier than those of one', async () => {
    shareAsyncStorage()
    const store: SignalKeyStore = { get: async () => ({}), set: async () => undefined }
    const use = async () => {
      const keys = addTransactionCapability(store, silentLogger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 })
      await keys.transaction(async () => expect(keys.isInTransaction()).toBe(true), 'number')
      expect(keys.isInTransaction()).toBe(false)
    }
    await use()
    const one = await carried()
    for (let n = 0; n < 200; n += 1) await use()
    expect(await carried()).toBe(one)
  })
})
