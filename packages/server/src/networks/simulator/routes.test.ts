import type { GatewaySession } from '@msgctl/network/gateway'
import { describe, expect, it } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { openNetwork, person, sending, someNumber, statusesOf } from '#testing/simulator/network.ts'
import { call } from '#testing/simulator/operate.ts'

const stranger = '00000000-0000-4000-8000-000000000000'
const { db } = await testDatabase()
describe('what it refuses', () => {
  it.each([
    ['GET', '/sim/nothing'],
    ['GET', '/sim/inbound'],
    ['POST', '/sim/numbers/%E0%A4%A/scan'],
    ['POST', '/sim/clock'],
  ])('%s %s is no route', async (method, path) => {
    await expect(call(await openNetwork(db), method, path)).rejects.toMatchObject({ code: 'ROUTE_NOT_FOUND' })
  })

  it.each(['scan', 'unlink', 'drop', 'host-down', 'host-up'])('%s of a number that is not there', async (action) => {
    const path = `/sim/numbers/${stranger}/${action}`
    await expect(call(await openNetwork(db), 'POST', path)).rejects.toMatchObject({
      code: 'CONTAINER_NOT_FOUND',
      status: 404,
    })
  })

  it.each([
    ['POST', '/sim/numbers/nonsense/scan', {}, 'containerId'],
    ['POST', `/sim/numbers/${stranger}/scan`, { phone: '123' }, 'phone'],
    ['POST', `/sim/numbers/${stranger}/drop`, { seconds: 0 }, 'seconds'],
    ['POST', '/sim/people/nobody/online', {}, 'phone'],
    ['POST', '/sim/inbound', { from: '12025550100', text: 'x' }, 'containerId'],
    ['POST', '/sim/inbound', { containerId: stranger, from: '12025550100', text: 'x'.repeat(4097) }, 'text'],
    ['POST', '/sim/inbound', { containerId: stranger, from: '12025550100', type: 'location' }, 'type'],
    ['POST', '/sim/inbound', { containerId: stranger, from: '12025550100' }, 'text'],
    ['POST', '/sim/receipts', { messageId: 'x', status: 'lost' }, 'status'],
    ['POST', '/sim/clock/advance', { seconds: -1 }, 'seconds'],
    ['PUT', '/sim/faults', { send: { timeout_sent: 2 } }, 'send.timeout_sent'],
    ['PUT', '/sim/faults', { send: { timeout_sent: 0.6, rejected: 0.6 } }, 'send'],
    ['PUT', '/sim/faults', { check: { explosion: 1 } }, 'check'],
    ['PUT', '/sim/faults', { sends: {} }, 'body'],
    ['POST', '/sim/clock/advance', [1], 'body'],
    ['POST', '/sim/inbound', { text: 'x'.repeat(4097), containerId: stranger, from: '12025550100' }, 'text'],
  ])('%s %s with a bad body, case %#', async (method, path, body, field) => {
    await expect(call(await openNetwork(db), method, path, body)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { [field]: expect.any(Array) },
    })
  })

  it.each(['?limit=0', '?limit=1001', '?after=-1', '?containerId=x', '?phone=x'])(
    'GET /sim/transcript%s',
    async (query) => {
      await expect(call(await openNetwork(db), 'GET', `/sim/transcript${query}`)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
      })
    },
  )
})

describe('a number', () => {
  const numberPath = (session: GatewaySession, action: string) => `/sim/numbers/${session.containerId}/${action}`

  it('is scanned with the phone that is named, once', async () => {
    const network = await openNetwork(db)
    const session = someNumber()
    await network.gateway.start(session)
    const scanned = await call(network, 'POST', numberPath(session, 'scan'), { phone: '+1 (212) 555-1234' })
    expect(scanned).toEqual({ containerId: session.containerId, status: 'WORKING', phone: '12125551234' })
    await expect(call(network, 'POST', numberPath(session, 'scan'))).rejects.toMatchObject({
      code: 'SESSION_NOT_CONNECTED',
      details: { status: 'WORKING' },
    })
  })

  it('is unlinked by its phone', async () => {
    const network = await openNetwork(db)
    const session = await network.linked()
    await call(network, 'POST', numberPath(session, 'unlink'))
    expect(await network.gateway.state(session)).toMatchObject({
      status: 'SCAN_QR_CODE',
      me: null,
      reason: 'logged_out',
    })
    await expect(call(network, 'POST', numberPath(session, 'unlink'))).rejects.toMatchObject({
      code: 'SESSION_NOT_CONNECTED',
    })
  })

  it('loses its line for as long as is said', async () => {
    const network = await openNetwork(db)
    const session = await network.linked()
    expect(await call(network, 'POST', numberPath(session, 'drop'), { seconds: 20 })).toMatchObject({
      status: 'STARTING',
    })
    await network.clock.advance(15)
    expect((await network.gateway.state(session)).status).toBe('STARTING')
    await network.clock.advance(5)
    expect((await network.gateway.state(session)).status).toBe('WORKING')
  })

  it('loses its host and gets it back', async () => {
    const network = await openNetwork(db)
    const session = await network.linked()
    expect(await call(network, 'POST', numberPath(session, 'host-down'))).toMatchObject({ host: 'down' })
    await expect(network.gateway.state(session)).rejects.toMatchObject({ kind: 'unreachable' })
    expect(await call(network, 'POST', numberPath(session, 'host-up'))).toMatchObject({ host: 'up', status: 'WORKING' })
    await expect(network.gateway.state(session)).resolves.toMatchObject({ status: 'WORKING' })
  })
})

describe('people', () => {
  it('write to a number whatever can be written', async () => {
    const network = await openNetwork(db)
    network.listen()
    const { containerId } = await network.linked()
    const bodies = [
      { text: 'hello', groupId: 'g1' },
      { type: 'location', latitude: 1.5, longitude: -2.5 },
      { type: 'image', caption: 'a caption' },
      { type: 'buttons', text: 'Yes', selectedButtonId: 'b1' },
      { type: 'list', text: 'Tea', selectedRowId: 'r1' },
    ]
    for (const body of bodies)
      await call(network, 'POST', '/sim/inbound', { containerId, from: '+1 202 555 0100', ...body })
    const inbound = () =>
      network.events.flatMap((event) =>
        event.kind === 'message.in' && event.containerId === containerId ? [event.message] : [],
      )
    await network.until(() => inbound().length === bodies.length)
    expect(inbound()).toMatchObject([
      { type: 'chat', text: 'hello', groupId: 'g1', from: person('0100'), senderName: 'Sim 0100' },
      { type: 'location', latitude: 1.5, longitude: -2.5 },
      { type: 'image', text: 'a caption', media: { mimetype: 'image/png' } },
      { type: 'buttons', text: 'Yes', selectedButtonId: 'b1' },
      { type: 'list', text: 'Tea', selectedRowId: 'r1' },
    ])
  })

  it('write under their hidden id, and the owner writes on the phone', async () => {
    const network = await openNetwork(db)
    network.listen()
    const { containerId } = await network.linked()
    await call(network, 'POST', '/sim/inbound', { containerId, from: person('0141').digits, text: 'psst' })
    await call(network, 'POST', '/sim/inbound', { containerId, from: '77123@lid', text: 'hm' })
    await call(network, 'POST', '/sim/inbound', {
      containerId,
      from: person('0100').digits,
      text: 'from me',
      fromMe: true,
    })
    const ours = () =>
      network.events.filter((event) => event.containerId === containerId && event.kind.startsWith('message.'))
    await network.until(() => ours().length === 3)
    expect(ours()).toMatchObject([
      { kind: 'message.in', message: { from: { kind: 'lid' }, senderName: 'Sim 0141' } },
      { kind: 'message.in', message: { from: { kind: 'lid', id: '77123@lid' } } },
      { kind: 'message.out', to: person('0100'), text: 'from me' },
    ])
  })

  it('cannot write to a number without a phone', async () => {
    const network = await openNetwork(db)
    const session = someNumber()
    await network.gateway.start(session)
    await expect(
      call(network, 'POST', '/sim/inbound', { containerId: session.containerId, from: '12025550100', text: 'x' }),
    ).rejects.toMatchObject({ code: 'SESSION_NOT_CONNECTED' })
  })

  it('put their phones off and on', async () => {
    const network = await openNetwork(db)
    network.listen()
    const session = await network.linked()
    const off = await call(network, 'POST', `/sim/people/${encodeURIComponent('+1 202 555 0121')}/offline`)
    expect(off).toEqual({ phone: '12025550121', online: false })
    const { ref } = await network.gateway.send(session, person('0121'), { kind: 'text', text: 'x' }, sending())
    const { ref: other } = await network.gateway.send(session, person('0122'), { kind: 'text', text: 'x' }, sending())
    await network.until((events) => statusesOf(events, other.networkId).length === 1)
    expect(statusesOf(network.events, ref.networkId)).toEqual([])
    await call(network, 'POST', '/sim/people/12025550121/online')
    await network.until((events) => statusesOf(events, ref.networkId).length === 1)
  })
})

describe('receipts by hand', () => {
  it.each(['clientId', 'networkId'] as const)('find the message by its %s', async (key) => {
    const network = await openNetwork(db)
    network.listen()
    const session = await network.linked()
    const clientId = crypto.randomUUID()
    const { ref } = await network.gateway.send(session, person('0121'), { kind: 'text', text: 'x' }, sending(clientId))
    const messageId = key === 'clientId' ? clientId : ref.networkId
    for (const status of ['sent', 'failed']) await call(network, 'POST', '/sim/receipts', { messageId, status })
    await network.until((events) => statusesOf(events, ref.networkId).length === 3)
    expect(statusesOf(network.events, ref.networkId)).toEqual(['delivered', 'sent', 'failed'])
  })

  it('answer MESSAGE_NOT_FOUND for a message the network never took', async () => {
    const body = { messageId: crypto.randomUUID(), status: 'read' }
    await expect(call(await openNetwork(db), 'POST', '/sim/receipts', body)).rejects.toMatchObject({
      code: 'MESSAGE_NOT_FOUND',
    })
  })
})

describe('the transcript', () => {
  it('is read in pages, of one number or with one person', async () => {
    const network = await openNetwork(db)
    const session = await network.linked()
    for (let n = 0; n < 5; n++) {
      await network.gateway.send(
        session,
        person(n === 4 ? '0121' : '0100'),
        { kind: 'text', text: `text ${n}` },
        sending(`m${n}`),
      )
    }
    const path = `/sim/transcript?containerId=${session.containerId}`
    const first = (await call(network, 'GET', `${path}&limit=3`)) as {
      messages: { clientId: string }[]
      nextAfter: number
    }
    expect(first).toMatchObject({ total: 5, messages: [{ clientId: 'm0' }, { clientId: 'm1' }, { clientId: 'm2' }] })
    expect(await call(network, 'GET', `${path}&limit=3&after=${first.nextAfter}`)).toMatchObject({
      total: 5,
      messages: [
        { clientId: 'm3' },
        { clientId: 'm4', to: '12025550121', content: { kind: 'text', text: 'text 4' }, typed: false },
      ],
      nextAfter: null,
    })
    expect(await call(network, 'GET', `${path}&phone=12025550121`)).toMatchObject({
      total: 1,
      messages: [{ clientId: 'm4' }],
    })
  })
})

describe('the clock and the faults', () => {
  it('moves the clock of the service and wakes who waits for it', async () => {
    const network = await openNetwork(db)
    let woken = 0
    network.ctx.wake.on('clock', () => woken++)
    const before = (await call(network, 'GET', '/sim/clock')) as { now: Date }
    const after = (await call(network, 'POST', '/sim/clock/advance', { seconds: 3600 })) as { now: Date }
    expect(after.now.getTime() - before.now.getTime()).toBeGreaterThanOrEqual(3_600_000)
    expect(woken).toBe(1)
  })

  it('orders faults and calls them off', async () => {
    const network = await openNetwork(db)
    const session = await network.linked()
    await call(network, 'PUT', '/sim/faults', { check: { timeout: 1 }, send: { unreachable: 1 } })
    const send = () => network.gateway.send(session, person('0100'), { kind: 'text', text: 'x' }, sending())
    await expect(send()).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(network.gateway.check(session, [person('0100').digits])).rejects.toMatchObject({ kind: 'timeout' })
    await call(network, 'DELETE', '/sim/faults')
    await expect(send()).resolves.toMatchObject({ status: 'sent' })
    expect(await db('sim_fault_hits')).toEqual([])
  })
})
