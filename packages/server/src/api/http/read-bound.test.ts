import { afterAll, expect, it } from 'vitest'
import { connect, rows, transaction } from '#platform/db/db.ts'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const outside = connect(server.databaseUrl, { poolMax: 1 })
afterAll(() => outside.destroy())

it('slow reads of one organization leave connections for the others, and are all done in the end', async () => {
  const [busy, other] = [server.client(await makeOrganization(server)), server.client(await makeOrganization(server))]
  const reads = await transaction(outside, async (trx) => {
    await rows(trx, 'lock table messages in access exclusive mode')
    const waiting = Array.from({ length: 40 }, () => busy.messages.list())
    // A change is no read: it has a share of its own.
    await busy.campaigns.create({ name: 'n', template: 't', recipients: [{ phone: '12025550100' }] })
    expect((await other.account.me()).success).toBe(true)
    return waiting
  })
  for (const { total } of await Promise.all(reads)) expect(total).toBe(0)
})
