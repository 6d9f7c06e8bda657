import { expect, it } from 'vitest'
import { testMachine } from '../testing/machine.ts'
import { scriptedServer } from '../testing/scripted-server.ts'

it.each([
  ['messages list', '/api/v1/messages', { messages: [] }],
  ['events list', '/api/v1/events', { events: [] }],
])('%s takes a time before now, as a send takes one after it', async (words, route, body) => {
  const { origin, seen } = await scriptedServer({ [`GET ${route}`]: () => ({ body }) })
  const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
  const list = (since: string) => testMachine().run([...words.split(' '), '--since', since, '--until', '30m'], { env })
  await list('1h')
  await list('2026-10-01T09:00:00Z')
  const until = '2026-11-01T07:30:00.000Z'
  expect(seen.map(({ query }) => query)).toEqual([
    expect.objectContaining({ since: '2026-11-01T07:00:00.000Z', until }),
    expect.objectContaining({ since: '2026-10-01T09:00:00Z', until }),
  ])
})
