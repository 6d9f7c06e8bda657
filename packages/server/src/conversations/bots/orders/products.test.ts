import { limits } from '@msgctl/contract'
import { expect, it } from 'vitest'
import { makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })

it('keeps at most 500 products in a shop', async () => {
  const client = server.client(await makeOrganization(server))
  const shop = { enabled: true, currency: 'EUR', deliveryFee: 0 }
  const { bot } = await client.bots.create({ name: 'Full', shop })
  const limit = limits.bots.products
  const rows = Array.from({ length: limit - 1 }, (_, n) => ({ name: `Cake ${n}`, price: 1 }))
  await client.bots.importProducts({ botId: bot.id, rows })
  const refused = (requested: number) => ({
    code: 'FORBIDDEN_ACTION',
    details: { reason: 'quota_reached', limit, used: limit - 1, requested },
  })
  await expect(client.bots.importProducts({ botId: bot.id, rows: rows.slice(0, 2) })).rejects.toMatchObject(refused(2))
  await client.bots.addProduct({ botId: bot.id, name: 'Last', price: 1 })
  await expect(client.bots.addProduct({ botId: bot.id, name: 'More', price: 1 })).rejects.toMatchObject({
    details: { reason: 'quota_reached', limit, used: limit, requested: 1 },
  })
})
