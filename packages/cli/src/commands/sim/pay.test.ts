import { describe, expect, it } from 'vitest'
import { testMachine } from '../../testing/machine.ts'
import { refusal, scriptedServer } from '../../testing/scripted-server.ts'

const page = 'http://127.0.0.1:3000/simulated-payments/checkout/cs_test_0123456789abcdef'

describe('sim pay', () => {
  it('pays with a card, and says how that ended', async () => {
    const { origin, seen } = await scriptedServer({
      'POST /sim/payments/checkouts/cs_test_0123456789abcdef/pay': () => ({
        body: { outcome: 'declined', declineCode: 'generic_decline' },
      }),
    })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1`, MSG_SIM_TOKEN: 'a-token' }
    const ran = await testMachine().run(['sim', 'pay', page, '4000 0000 0000 0002', '--country', 'DE', '--json'], {
      env,
    })
    expect(JSON.parse(ran.stdout)).toEqual({ outcome: 'declined', declineCode: 'generic_decline' })
    expect(seen[0]?.body).toEqual({ card: '4000 0000 0000 0002', authenticate: true, country: 'DE' })
  })

  it('says where payments are not simulated, and which addresses it takes', async () => {
    const { origin } = await scriptedServer({
      'POST /sim/payments/checkouts/cs_test_0123456789abcdef/pay': () =>
        refusal(404, 'ROUTE_NOT_FOUND', 'The simulator has no such route.'),
    })
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1`, MSG_SIM_TOKEN: 'a-token' }
    const ran = await testMachine().run(['sim', 'pay', page], { env })
    expect(ran.stderr).toContain('PAYMENTS=simulated')
    const other = await testMachine().run(['sim', 'pay', 'https://example.com/'], { env })
    expect(other.exitCode).toBe(2)
  })
})
