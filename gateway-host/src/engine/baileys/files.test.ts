import { expect, it } from 'vitest'
import { NoResponse } from '../failures.ts'
import { limited } from './files.ts'

const options = { fileEncSha256B64: 'x', mediaType: 'image' } as const

it('ends an upload that hangs, and gives up a silent host before', async () => {
  const timeouts: unknown[] = []
  const hang = limited((_file, { timeoutMs }) => {
    timeouts.push(timeoutMs)
    return new Promise(() => undefined)
  }, 10)
  await expect(hang('/tmp/x', options)).rejects.toBeInstanceOf(NoResponse)
  expect(timeouts).toEqual([30_000])
})

it('passes on what an upload returns, and its failure', async () => {
  const uploaded = { mediaUrl: 'https://localhost/v/1', directPath: '/v/1' }
  expect(await limited(async () => uploaded)('/tmp/x', options)).toBe(uploaded)
  await expect(limited(() => Promise.reject(new Error('full')))('/tmp/x', options)).rejects.toThrow('full')
})
