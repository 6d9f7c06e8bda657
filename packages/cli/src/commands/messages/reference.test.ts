import { expect, it } from 'vitest'
import { startService } from '../../testing/service.ts'

const makeWorkspace = await startService()

it('a message is found by the beginning of its id however many are newer, by the time in the id', async () => {
  const { run, script, seen } = await makeWorkspace()
  await run('send +12025550100 hello')
  const list = JSON.parse((await run('api GET /messages')).stdout)
  const [message] = list.messages
  const madeMs = Number.parseInt(message.id.replace('-', '').slice(0, 12), 16)
  // A service with so many newer messages that the list without a time never reaches this one.
  script({
    'GET /api/v1/messages': ({ query }) => {
      const isReached = Date.parse(query.since ?? '') <= madeMs && Date.parse(query.until ?? '') >= madeMs
      return { body: { ...list, messages: isReached ? [message] : [] } }
    },
  })
  seen.length = 0
  for (const length of [8, 13]) {
    const found = await run(`messages show ${message.id.slice(0, length)} --output plain --fields id`)
    expect(found).toMatchObject({ stdout: `${message.id}\n`, exitCode: 0 })
  }
  expect(seen.filter(({ path }) => path === '/api/v1/messages')).toHaveLength(2)
})
