import type { Driver, GatewayHandler, GatewaySession } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { insertNumber } from '#numbers/records/store.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { makeOrganization } from '#testing/make.ts'
import { testServices } from '#testing/services.ts'
import { combineDrivers } from './combined.ts'

const { db } = await testServices()
const organization = await makeOrganization({ db })

/** A driver that notes which calls it gets. */
function driver(name: string, more: Partial<Driver> = {}) {
  const calls: string[] = []
  const made = {
    name,
    caps: new Set(),
    checkBatch: () => (name === 'one' ? 5 : 1),
    silentHosts: async (sessions: readonly GatewaySession[]) => {
      calls.push(`silentHosts ${sessions.length}`)
      return new Set<string>()
    },
    health: async () => ({ ok: true }),
    state: async ({ containerId }: GatewaySession) => void calls.push(`state ${containerId}`),
    remove: async ({ containerId }: GatewaySession) => void calls.push(`remove ${containerId}`),
    close: async () => void calls.push('close'),
    ...more,
  }
  return { calls, driver: made as unknown as Driver }
}

async function number(gateway: string): Promise<GatewaySession> {
  const containerId = crypto.randomUUID()
  const { organizationId } = organization
  await transaction(db, (trx) =>
    insertNumber(trx, { id: containerId, organizationId, gateway, label: 'Test', instanceName: containerId }),
  )
  return { containerId, organizationId }
}

function joined(more: Partial<Driver> = {}) {
  const [one, two] = [driver('one'), driver('two', more)]
  return { one, two, gateway: combineDrivers(db, [one.driver, two.driver], 'one') }
}

describe('a call', () => {
  it('goes to the driver of the number, which is read once', async () => {
    const { one, two, gateway } = joined()
    const session = await number('two')
    await gateway.state(session)
    await rows(db, `update numbers set gateway = 'one' where id = :id and organization_id = :organizationId`, {
      id: session.containerId,
      organizationId: session.organizationId,
    })
    await gateway.state(session)
    expect([one.calls, two.calls]).toEqual([[], [`state ${session.containerId}`, `state ${session.containerId}`]])
  })

  it('goes to the driver that the session names: the row of a removed number is gone', async () => {
    const { two, gateway } = joined()
    const session = { containerId: crypto.randomUUID(), organizationId: organization.organizationId, gateway: 'two' }
    await gateway.remove(session)
    expect(two.calls).toEqual([`remove ${session.containerId}`])
  })

  it('about a number without a row goes to the usual driver', async () => {
    const { one, gateway } = joined()
    const session = { containerId: crypto.randomUUID(), organizationId: organization.organizationId }
    await gateway.state(session)
    expect(one.calls).toEqual([`state ${session.containerId}`])
  })

  it('fails as unreachable for a driver that is not here', async () => {
    const { gateway } = joined()
    await expect(gateway.state(await number('gone'))).rejects.toMatchObject({
      kind: 'unreachable',
      outcome: 'not_sent',
    })
  })

  it('reads no number of another organization', async () => {
    const { one, two, gateway } = joined()
    const session = await number('two')
    await gateway.state({ ...session, organizationId: crypto.randomUUID() })
    expect([one.calls.length, two.calls.length]).toEqual([1, 0])
  })
})

describe('all drivers together', () => {
  it('ask as little at once as the most careful one, until the driver is known', async () => {
    const { gateway } = joined()
    const session = await number('one')
    expect(gateway.checkBatch(session)).toBe(1)
    await gateway.state(session)
    expect(gateway.checkBatch(session)).toBe(5)
    expect(gateway.checkBatch({ ...session, gateway: 'two' })).toBe(1)
  })

  it('report silent hosts of each; a driver that fails or is not here stands for its own numbers only', async () => {
    const { one, gateway } = joined({
      silentHosts: async () => {
        throw new Error('a fault')
      },
    })
    const [first, second, third] = [await number('one'), await number('two'), await number('gone')]
    expect(await gateway.silentHosts([first, second, third])).toEqual(new Set([second.containerId, third.containerId]))
    expect(one.calls).toEqual(['silentHosts 1'])
  })

  it('are healthy when each of them is', async () => {
    expect(await joined().gateway.health()).toEqual({ ok: true })
    const broken = joined({ health: async () => ({ ok: false, detail: 'No host responds.' }) })
    expect(await broken.gateway.health()).toEqual({ ok: false, detail: 'No host responds.' })
  })

  it('are subscribed, stopped and closed together', async () => {
    const handlers: GatewayHandler[] = []
    let stopped = 0
    const subscribe = (handler: GatewayHandler) => {
      handlers.push(handler)
      return async () => {
        stopped += 1
      }
    }
    const [one, two] = [driver('one', { subscribe }), driver('two', { subscribe })]
    const gateway = combineDrivers(db, [one.driver, two.driver], 'one')
    await gateway.subscribe(async () => undefined)()
    expect([handlers.length, stopped]).toEqual([2, 2])
    await gateway.close()
    expect([...one.calls, ...two.calls]).toEqual(['close', 'close'])
  })

  it('take reports for a driver that has hosts, and refuse them for any other', async () => {
    const gateway = combineDrivers(
      db,
      [
        driver('one').driver,
        driver('two', {
          ingress: {
            admits: async (host) => host === 'a',
            receive: async (host) => (host === 'a' ? 'stored' : 'refused'),
          },
        }).driver,
      ],
      'one',
    )
    const raw = Buffer.from('{}')
    expect(await gateway.admits('two', 'a', {})).toBe(true)
    expect(await gateway.admits('two', 'b', {})).toBe(false)
    expect(await gateway.admits('one', 'a', {})).toBe(false)
    expect(await gateway.admits('three', 'a', {})).toBe(false)
    expect(await gateway.receive('two', 'a', raw, {})).toBe('stored')
    expect(await gateway.receive('two', 'b', raw, {})).toBe('refused')
    expect(await gateway.receive('one', 'a', raw, {})).toBe('refused')
    expect(await gateway.receive('three', 'a', raw, {})).toBe('refused')
  })
})
