import { expect, it } from 'vitest'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const number = { organizationId: organization.organizationId, containerId }
const client = server.client(organization)
const from = (digits: string) => ({ kind: 'phone', digits }) as const

it('opts a list of people out, known or not, and lists them', async () => {
  await handleGatewayEvents(server.services, [arrival(number, { from: from('12025550130'), text: 'STOP' })])
  await server.advance(60)
  const phones = ['+1 202 555 0130', '+12025550131', '12025550132', '12025550132']
  expect(await client.contacts.addOptOuts({ phones })).toMatchObject({ optedOut: 2, already: 1 })
  expect(await client.contacts.addOptOuts({ phones })).toMatchObject({ optedOut: 0, already: 3 })
  const { optOuts, ...page } = await client.contacts.optOuts({ limit: 2 })
  expect(page).toMatchObject({ total: 3, page: 1, limit: 2 })
  expect(optOuts.map(({ phone }) => phone).sort()).toEqual(['12025550131', '12025550132'])
  expect(optOuts[0]).toMatchObject({ optedOut: true, saved: false, optedAt: expect.any(String) })
  const all: (string | null)[] = []
  for await (const { phone } of client.contacts.optOuts.all({ limit: 1 })) all.push(phone)
  expect(all.sort()).toEqual(['12025550130', '12025550131', '12025550132'])
  const { contact } = await client.contacts.update({ id: optOuts[0]?.id ?? '', optedOut: false })
  expect(contact.optedOut).toBe(false)
  expect((await client.contacts.optOuts()).total).toBe(2)
  const other = server.client(await makeOrganization(server))
  expect((await other.contacts.optOuts()).total).toBe(0)
})

it('pages through all contacts without a search', async () => {
  const first = await client.contacts.search({ limit: 2 })
  expect(first).toMatchObject({ total: 3, page: 1, limit: 2 })
  const second = await client.contacts.search({ limit: 2, page: 2 })
  const phones = [...first.contacts, ...second.contacts].map(({ phone }) => phone)
  expect(phones.sort()).toEqual(['12025550130', '12025550131', '12025550132'])
  expect(await client.contacts.search({ search: '0131' })).toMatchObject({ total: 1, contacts: [{ saved: false }] })
})
