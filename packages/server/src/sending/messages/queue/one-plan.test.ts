import { expect, it } from 'vitest'
import { connect, rows } from '#platform/db/db.ts'
import { applyReceipts } from '#sending/messages/receipts/receipt.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { claim } from './claim.ts'
import { enqueueTexts } from './enqueue.ts'
import { writeSent } from './outcome-store.ts'
import { standardPace } from './pace.ts'
import { nextLaneAt } from './queue-store.ts'

const api = await startTestServer({ worker: false })

it('plans each statement on the way of a message once, and not for each execution', async () => {
  const organization = await makeOrganization(api)
  const containerId = await makeNumber(api, organization)
  const about = { organizationId: organization.organizationId, containerId, pinned: false, clientReference: null }
  const text = { ...about, type: 'alert', recipient: '12025550100', text: 'hello', priority: 'high' } as const
  const db = connect(api.databaseUrl, { poolMax: 1 })
  const services = { ...api.services, db }
  try {
    for (let n = 0; n < 12; n += 1) {
      await enqueueTexts(db, api.services.clock, [text])
      await nextLaneAt(db)
      const claimed = await claim(services, standardPace, 1000)
      const at = api.services.clock.now()
      const settled = claimed.map((one) => {
        const outcome = { is: 'sent', networkId: one.networkClientId, raw: null, at, acknowledged: true } as const
        return { id: one.id, containerId, token: one.token, outcome }
      })
      expect(settled).toHaveLength(1)
      await writeSent(db, settled)
      const receipt = { containerId, status: 'delivered', at, error: null } as const
      await applyReceipts(
        services,
        settled.map(({ outcome }) => ({ ...receipt, networkId: outcome.networkId })),
      )
    }
    const prepared = await rows<{ statement: string; generic: number; custom: number }>(
      db,
      `select left(regexp_replace(statement, '\\s+', ' ', 'g'), 90) as statement, generic_plans as generic,
              custom_plans as custom
         from pg_prepared_statements where generic_plans + custom_plans > 10`,
    )
    expect(prepared.length).toBeGreaterThanOrEqual(8)
    // Postgres tries five times whether the values would make a better plan.
    expect(prepared.filter(({ custom }) => custom > 5)).toEqual([])
  } finally {
    await db.destroy()
  }
})
