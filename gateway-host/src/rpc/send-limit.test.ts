import { expect, it } from 'vitest'
import { createSendLimit } from './send-limit.ts'

it('runs so many sends at a time, and refuses what waited too long as not sent', async () => {
  const limit = createSendLimit(2, 20)
  const ends: (() => void)[] = []
  const started: string[] = []
  const send = (name: string) =>
    limit(name, async () => {
      started.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  const [first, second, third] = [send('first'), send('second'), send('third')]
  await expect(third).rejects.toMatchObject({ kind: 'unreachable', outcome: 'not_sent' })
  expect(started).toEqual(['first', 'second'])
  ends[0]?.()
  await first
  const fourth = send('fourth')
  await expect.poll(() => started).toEqual(['first', 'second', 'fourth'])
  for (const end of ends) end()
  expect(await Promise.all([second, fourth])).toEqual(['second', 'fourth'])
})

it('passes the failure of a send on', async () => {
  const failure = new Error('no')
  await expect(createSendLimit()('number', () => Promise.reject(failure))).rejects.toBe(failure)
})
