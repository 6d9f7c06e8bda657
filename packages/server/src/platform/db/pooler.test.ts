import { expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { startTransactionPooler } from '#testing/transaction-pooler.ts'
import { sharesSessions } from './pooler.ts'

const { url } = await testDatabase()

it('recognizes a pooler in transaction mode', async () => {
  const pooler = await startTransactionPooler(url)
  onTestFinished(() => pooler.stop())
  expect(await sharesSessions(pooler.url)).toBe(true)
})

it('recognizes connections with sessions of their own', async () => {
  expect(await sharesSessions(url)).toBe(false)
})
