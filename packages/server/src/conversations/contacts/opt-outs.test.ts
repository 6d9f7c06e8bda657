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

it('pages through all contacts', async () => {
  expect(await client.contacts.list()).toMatchObject({ total: 3, page: 1, limit: 50 })
  const first = await client.contacts.list({ limit: 2 })
  expect(first).toMatchObject({ total: 3, page: 1, limit: 2 })
  const second = await client.contacts.list({ limit: 2, page: 2 })
  const phones = [...first.contacts, ...second.contacts].map(({ phone }) => phone)
  expect(phones.sort()).toEqual(['12025550130', '12025550131', '12025550132'])
  expect(await client.contacts.search({ search: '0131' })).toMatchObject({ total: 1, contacts: [{ saved: false }] })
})

it.each([
  [{ optedOut: true }, ['12025550131', '12025550132']],
  [{ optedOut: false }, ['12025550130']],
  [{ saved: true }, []],
  [{ saved: false, optedOut: false }, ['12025550130']],
])('lists the contacts of a kind: %j', async (kind, phones) => {
  for (const { id, phone } of (await client.contacts.list()).contacts) {
    await client.contacts.update({ id, optedOut: phone !== '12025550130' })
  }
  const { total, contacts } = await client.contacts.list(kind)
  expect([total, contacts.map(({ phone }) => phone).sort()]).toEqual([phones.length, phones])
})

it.each(['', '?limit=10', '?page=2'])('GET /contacts%s is refused: a search is required', async (query) => {
  const response = await fetch(`${server.baseUrl}/contacts${query}`, { headers: { 'x-api-key': organization.apiKey } })
  const { error } = (await response.json()) as { error: { code: string; issues: readonly object[] } }
  expect([response.status, error.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect(error.issues).toMatchObject([{ field: 'search', code: 'required' }])
})

it('GET /contacts/list refuses what is neither true nor false', async () => {
  const headers = { 'x-api-key': organization.apiKey }
  const response = await fetch(`${server.baseUrl}/contacts/list?saved=1`, { headers })
  const { error } = (await response.json()) as { error: { issues: readonly object[] } }
  expect(error.issues).toEqual([{ field: 'saved', code: 'invalid_type', message: 'must be true or false' }])
})
