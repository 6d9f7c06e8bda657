import type { Pool } from 'pg'
import { describe, expect, it } from 'vitest'
import type { HistoryMessage } from '../engine/engine.ts'
import type { Vault } from '../vault/vault.ts'
import { HistoryWriter } from './history-writer.ts'

const vault = { containerId: 'number', epoch: '1', isFenced: false } as unknown as Vault
const history = Array.from({ length: 1200 }, (_, i): HistoryMessage => {
  const networkId = `M${i}`
  return {
    chat: '12025550100@s.whatsapp.net',
    networkId,
    at: new Date(0),
    fromMe: false,
    message: { conversation: 'x' },
  }
})

/** A writer over a database that fails as often as `failures` says, and what reached the database. */
function writerOver(failures: (query: number) => boolean, refused: string | null = null) {
  const stored: number[] = []
  let queries = 0
  let lost = 0
  const lines: object[] = []
  const pool = {
    async query(text: string, values: unknown[][]) {
      if (!text.startsWith('insert')) return { rows: [] }
      queries += 1
      if (failures(queries)) throw new Error('canceling statement due to statement timeout')
      if (values[3]?.includes(refused)) throw Object.assign(new Error('refused'), { code: '22021' })
      stored.push(values[3]?.length ?? 0)
      return { rows: [] }
    },
  } as unknown as Pool
  const log = { info: () => undefined, warn: (line: object) => void lines.push(line) }
  const writer = new HistoryWriter({ pool, log, onFailed: () => void lost++ }, 1)
  return { writer, stored, lines, lost: () => lost, queries: () => queries }
}

describe('what a phone shares', () => {
  it('is stored in batches', async () => {
    const { writer, stored, lost } = writerOver(() => false)
    await writer.store(vault, history)
    expect(stored).toEqual([500, 500, 200])
    expect(lost()).toBe(0)
  })

  it('is stored without the one message that the database refuses', async () => {
    const { writer, stored, lines, lost } = writerOver(() => false, 'M7')
    await writer.store(vault, history)
    expect(stored.reduce((sum, count) => sum + count)).toBe(1199)
    expect(lost()).toBe(1)
    expect(lines).toEqual([expect.objectContaining({ messages: 1 })])
  })

  it('is tried again, and what is lost is counted and logged, without the rest', async () => {
    const { writer, stored, lines, lost, queries } = writerOver((query) => query === 1 || (query >= 3 && query <= 5))
    await writer.store(vault, history)
    expect(stored).toEqual([500, 200])
    expect(queries()).toBe(6)
    expect(lost()).toBe(1)
    expect(lines).toEqual([
      expect.objectContaining({ event: 'history_not_stored', containerId: 'number', messages: 500 }),
    ])
  })
})
