import { afterAll, describe, expect, it } from 'vitest'
import { openBrowser } from '#testing/features/browser.ts'
import { makePerson, password } from '#testing/features/person.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { settled } from '#testing/settled.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

interface Phone {
  readonly name: string
  readonly online: boolean
  readonly typing: string[]
  readonly messages: { id: number; direction: string; containerId: string; text: string; status: string }[]
}

const server = await startTestServer()
await server.services.clock.freeze()
const organization = await makeOrganization(server)
const client = server.client(organization)
const containerId = await makeNumber(server, organization)
const show = (phone: string, query = '') => sim<Phone>(server, `GET phones/${phone}${query}`)
const shown = ({ messages }: Phone) => messages.map(({ direction, text, status }) => [direction, text, status])

describe('the phone of a person', () => {
  it('shows both sides of its conversations, and reads on request', async () => {
    const phone = '12025550121'
    await client.alert.send({ phone, message: 'hello' })
    await settled(server.db)
    await sim(server, 'POST inbound', { containerId, from: phone, text: 'good day' })
    await settled(server.db)
    const first = await show(phone)
    expect(first).toMatchObject({ name: 'Sim 0121', online: true, typing: [] })
    expect(shown(first)).toEqual([
      ['out', 'hello', 'delivered'],
      ['in', 'good day', 'sent'],
    ])
    expect(first.messages[0]?.containerId).toBe(containerId)
    expect(shown(await show(phone, `?after=${first.messages[0]?.id}`))).toEqual([['in', 'good day', 'sent']])
    expect(await sim(server, `POST phones/${phone}/read`, {})).toEqual({ read: 1 })
    await settled(server.db)
    expect(shown(await show(phone))[0]).toEqual(['out', 'hello', 'read'])
    expect(await sim(server, `POST phones/${phone}/read`, {})).toEqual({ read: 0 })
  })

  it('shows who types until the message is there, and for 15 s at most', async () => {
    const phone = '12025550122'
    const session = { ...organization, containerId }
    const to = { kind: 'phone', digits: phone } as const
    const { gateway } = server.services
    await gateway.typing(session, to, true)
    expect((await show(phone)).typing).toEqual([containerId])
    await gateway.typing(session, to, false)
    expect((await show(phone)).typing).toEqual([])
    await gateway.typing(session, to, true)
    await server.advance(16)
    expect((await show(phone)).typing).toEqual([])
    await gateway.typing(session, to, true)
    await client.alert.send({ phone, message: 'hello' })
    await settled(server.db)
    expect((await show(phone)).typing).toEqual([])
  })

  it('shows whether it is on', async () => {
    expect((await show('12025550120')).online).toBe(false)
    await sim(server, 'POST people/12025550120/online', {})
    expect((await show('12025550120')).online).toBe(true)
  })
})

describe('the console operates the simulated network', async () => {
  const owner = await makePerson(server)
  const own = await makeNumber(server, { ...owner, apiKey: '', ownerId: owner.userId })
  const browser = openBrowser(server)
  await browser.call('POST', '/console/session/sign-in', { body: { email: owner.email, password } })
  afterAll(() => browser.call('DELETE', '/console/session'))

  it('for its own numbers only', async () => {
    const phone = '12025550121'
    await owner.client.alert.send({ phone, message: 'mine' })
    await settled(server.db)
    const seen = await browser.call('GET', `/sim/phones/${phone}`)
    expect([seen.status, shown(seen.body)]).toEqual([200, [['out', 'mine', 'delivered']]])
    expect((await browser.call('POST', `/sim/numbers/${own}/drop`, { body: { seconds: 5 } })).status).toBe(200)
    const foreign = await browser.call('POST', `/sim/numbers/${containerId}/drop`, { body: {} })
    expect(foreign.body.error.code).toBe('CONTAINER_NOT_FOUND')
    const inbound = { containerId, from: phone, text: 'x' }
    expect((await browser.call('POST', '/sim/inbound', { body: inbound })).status).toBe(404)
  })

  it.each(['transcript', 'mail'])('without its %s, which is of all organizations', async (name) => {
    expect((await browser.call('GET', `/sim/${name}`)).body.error.code).toBe('ADMIN_ONLY')
  })

  it('as an owner or admin, on this machine, from its own page', async () => {
    const path = '/sim/clock'
    expect((await browser.call('GET', path)).status).toBe(200)
    expect((await browser.call('GET', path, { headers: {} })).body.error.code).toBe('ADMIN_ONLY')
    const proxied = { 'x-requested-by': 'console', 'x-forwarded-for': '203.0.113.7' }
    expect((await browser.call('GET', path, { headers: proxied })).body.error.code).toBe('ADMIN_ONLY')
    await server.db('members').where({ userId: owner.userId }).update({ role: 'member' })
    expect((await browser.call('GET', path)).body.error.code).toBe('ADMIN_ONLY')
    await owner.client.auth.endSessions()
    expect((await browser.call('GET', path)).body.error.code).toBe('AUTH_ERROR')
  })
})
