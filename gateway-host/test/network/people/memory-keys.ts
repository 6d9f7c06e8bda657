import type { SignalDataSet, SignalDataTypeMap, SignalKeyStoreWithTransaction } from 'baileys'

/** Signal keys in memory. Transactions of one key run one after the other. */
export function memoryKeys(): SignalKeyStoreWithTransaction {
  const values = new Map<string, unknown>()
  const running = new Map<string, Promise<unknown>>()
  return {
    async get<Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) {
      const found: Record<string, SignalDataTypeMap[Type]> = {}
      for (const id of ids) {
        const value = values.get(`${type}/${id}`)
        if (value !== undefined) found[id] = value as SignalDataTypeMap[Type]
      }
      return found
    },
    async set(data: SignalDataSet) {
      for (const [type, some] of Object.entries(data)) {
        for (const [id, value] of Object.entries(some ?? {})) {
          if (value === null || value === undefined) values.delete(`${type}/${id}`)
          else values.set(`${type}/${id}`, value)
        }
      }
    },
    isInTransaction: () => false,
    transaction<T>(work: () => Promise<T>, key: string): Promise<T> {
      const result = (running.get(key) ?? Promise.resolve()).then(work, work)
      running.set(
        key,
        result.catch(() => undefined),
      )
      return result
    },
  }
}
