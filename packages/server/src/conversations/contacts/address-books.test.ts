import { expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const { services } = server

/** Two numbers of a new organization, and how its contacts look. */
async function twoNumbers() {
  const organization = await makeOrganization(server)
  const { organizationId } = organization
  const ids = [await makeNumber(server, organization), await makeNumber(server, organization)]
  await rows(services.db, 'delete from contacts where organization_id = :organizationId', { organizationId })
  const upsert = (nth: number, digits: string, name: string, saved = true) => ({
    kind: 'contacts.upsert' as const,
    organizationId,
    containerId: ids[nth] as string,
    at: services.clock.now(),
    contacts: [{ address: { kind: 'phone' as const, digits }, name, saved }],
  })
  const contacts = async () => {
    const found = await rows<{
      phone: string
      savedName: string
      networkName: string
      savedIn: string[]
      knownTo: string[]
    }>(
      services.db,
      `select phone, saved_name, network_name, saved_in, known_to
         from contacts where organization_id = :organizationId order by phone`,
      { organizationId },
    )
    const nths = (containers: readonly string[]) => containers.map((id) => ids.indexOf(id)).sort()
    return found.map(({ savedIn, knownTo, ...contact }) => ({
      ...contact,
      savedIn: nths(savedIn),
      knownTo: nths(knownTo),
    }))
  }
  return { upsert, contacts }
}

it('address books that arrive together are stored as one after the other', async () => {
  const [single, together] = [await twoNumbers(), await twoNumbers()]
  const reports = ({ upsert }: typeof single) => [
    upsert(0, '12025550311', 'Ann'),
    upsert(1, '12025550311', 'Anna'),
    upsert(0, '12025550312', 'Bob'),
    upsert(1, '12025550313', 'Carl of the network', false),
    upsert(0, '12025550312', 'Bob', false),
    upsert(1, '12025550312', 'Bobby'),
    upsert(0, '12025550314', 'Dora'),
    upsert(0, '12025550314', 'Dora Gone', false),
  ]
  for (const report of reports(single)) await handleGatewayEvents(services, [report])
  await handleGatewayEvents(services, reports(together))
  const contacts = await together.contacts()
  expect(contacts).toEqual(await single.contacts())
  expect(contacts).toMatchObject([
    { phone: '12025550311', savedName: 'Anna', savedIn: [0, 1], knownTo: [0, 1] },
    { phone: '12025550312', savedName: 'Bobby', savedIn: [1], knownTo: [0, 1] },
    { phone: '12025550313', savedName: null, networkName: 'Carl of the network', savedIn: [], knownTo: [1] },
    { phone: '12025550314', savedName: null, networkName: 'Dora Gone', savedIn: [], knownTo: [0] },
  ])
})

it('the progress of many phones is stored for each', async () => {
  const { upsert } = await twoNumbers()
  const [one, other] = [upsert(0, '1', ''), upsert(1, '1', '')]
  const at = services.clock.now()
  const progress = (of: typeof one, done: boolean) => {
    const { organizationId, containerId } = of
    return { kind: 'history.progress' as const, organizationId, containerId, at, imported: 0, done }
  }
  await handleGatewayEvents(services, [progress(one, false), progress(other, false), progress(one, true)])
  const stored = await rows<{ id: string; busy: Date | null; done: Date | null }>(
    services.db,
    `select container_id as id, phone_busy_at as busy, imported_at as done from history_imports
      where container_id = any(:ids::uuid[])`,
    { ids: [one.containerId, other.containerId] },
  )
  const of = (id: string) => stored.find((row) => row.id === id)
  expect(of(one.containerId)).toMatchObject({ busy: null, done: at })
  expect(of(other.containerId)).toMatchObject({ busy: at, done: null })
})
