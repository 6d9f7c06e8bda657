import { expect, it } from 'vitest'
import { testMachine } from '../../testing/machine.ts'

const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: 'http://127.0.0.1:1/api/v1', TZ: 'Asia/Tokyo' }

it.each([
  ['tomorrow 9:00', ['--time-zone', 'Europe/Berlin'], '2026-11-02 09:00:00 (Europe/Berlin)'],
  ['2026-11-02T09:00:00+01:00', [], '2026-11-02 17:00:00 (Asia/Tokyo)'],
  ['+2h', ['--utc'], '2026-11-01 10:00:00 (UTC)'],
])(
  'the question before a campaign starts at %s %j has the time of the zone that was typed',
  async (at, more, shown) => {
    const ask = async (...words: string[]) => (await testMachine().run([...words, '--at', at, ...more], { env })).stderr
    const created = await ask('campaigns', 'create', 'News', 'Hello', '--recipients', '+12025550100')
    expect(created).toContain(`Send "News" to 1 recipient at ${shown}?`)
    expect(await ask('campaigns', 'edit', 'News')).toContain(`Send the campaign News at ${shown}?`)
  },
)
