import { describe, expect, it } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

// The pauses of the network are short, so that its reports overlap.
const server = await startTestServer({ env: { SIM_SPEED: '60' } })

describe('numbers that are added at the same time', async () => {
  const organization = await makeOrganization(server, { products: ['notify'] })
  // A hundred at once on a busy machine take longer than one call may.
  const owner = server.client({ token: await makeToken(server, organization), timeoutMs: 120_000 })
  const numbers = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => (await owner.numbers.create({ label: `Number ${n}` })).session.id),
  )

  it('all show a QR: none stays in STARTING', { timeout: 60_000 }, async () => {
    await eventually(
      () => owner.numbers.list(),
      ({ sessions }) => sessions.every(({ status }) => status === 'SCAN_QR_CODE'),
    )
  })

  it('go through each state once', async () => {
    for (const containerId of numbers) {
      const { history } = await owner.numbers.history({ containerId })
      expect(history.map(({ to }) => to).toReversed()).toEqual(['STARTING', 'SCAN_QR_CODE'])
    }
  })
})
