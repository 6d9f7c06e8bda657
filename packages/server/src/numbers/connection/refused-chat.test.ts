import { GatewayError } from '@msgctl/network/errors'
import type { Gateway } from '@msgctl/network/gateway'
import { describe, expect, it, onTestFinished } from 'vitest'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { GUARD: 'on' } })
const { services } = server
const hourSeconds = 3600

/** A number to which the network refuses everybody of an area, one by one. */
async function refusedIn(area: string) {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const { gateway } = services
  const original = { ...gateway }
  const send: Gateway['send'] = async (session, to, content, options) => {
    if (to.kind === 'phone' && to.digits.startsWith(area)) {
      throw new GatewayError('contact_refused', 'The network accepts no messages for this person now.')
    }
    return original.send(session, to, content, options)
  }
  Object.assign(gateway, { send })
  onTestFinished(() => void Object.assign(gateway, original))
  const client = server.client(organization)
  const settled = async (phone: string) => {
    const { messageId } = await client.alert.send({ phone, message: 'hello', priority: 'high' })
    const { message } = await eventually(
      () => client.messages.get({ id: messageId }),
      ({ message: { status, held } }) => (status !== 'queued' ? status !== 'sending' : held !== null),
    )
    return message
  }
  const blockedUntil = async () => (await client.numbers.status()).guard?.blockedUntil ?? null
  return { organization, containerId, client, settled, blockedUntil }
}

describe('a person whom the network refuses', () => {
  it('fails the message with a reason of its own, and leaves the number as it is', async () => {
    const { client, settled, blockedUntil } = await refusedIn('4915110')
    expect(await settled('4915110000001')).toMatchObject({ errorCode: 'GATEWAY_ERROR', attempts: 1 })
    const place = { phone: '4915110000002', latitude: 1, longitude: 2 }
    await expect(client.alert.sendLocation(place)).rejects.toMatchObject({
      code: 'GATEWAY_ERROR',
      details: { reason: 'contact_refused', outcome: 'not_sent' },
    })
    expect(await settled('4915110000002')).toMatchObject({ errorCode: 'GATEWAY_ERROR' })
    expect(await blockedUntil()).toBeNull()
    expect((await settled('4915220000001')).status).not.toBe('failed')
  })

  it('is the third one within an hour: new conversations pause for six hours', async () => {
    const { organization, containerId, settled, blockedUntil } = await refusedIn('4915330')
    await settled('4915330000001')
    await settled('4915330000002')
    await server.advance(hourSeconds + 60)
    await settled('4915330000003')
    await settled('4915330000004')
    expect(await blockedUntil()).toBeNull()
    await settled('4915330000005')
    const pausedMs = Date.parse((await blockedUntil()) ?? '') - services.clock.now().getTime()
    expect(Math.round(pausedMs / 60_000)).toBe(360)

    const limits = { newChats: null, blockedUntil: null }
    const { organizationId } = organization
    const at = services.clock.now()
    await handleGatewayEvents(services, [{ kind: 'account.limits', organizationId, containerId, at, limits }])
    expect(await blockedUntil()).not.toBeNull()
    expect((await settled('4915440000001')).held).toMatchObject({ rule: 'time_lock' })
    await server.advance(6 * hourSeconds)
    expect((await settled('4915440000002')).status).not.toBe('failed')
  })
})
