import type { GatewaySession } from '@msgctl/network/session'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { fakeHookKey } from '#testing/waha/host.ts'
import { openWahaNetwork, type WahaNetwork } from '#testing/waha/network.ts'
import { signature } from '#testing/waha/webhooks.ts'

const { db } = await testDatabase()

async function placed(): Promise<{ network: WahaNetwork; session: GatewaySession }> {
  const network = await openWahaNetwork(db)
  const session = network.newNumber()
  await network.driver.ensure(session)
  return { network, session }
}

function webhook(session: GatewaySession, change: object = {}): string {
  return JSON.stringify({
    id: `evt_${crypto.randomUUID()}`,
    timestamp: Date.now(),
    event: 'message.ack',
    session: session.containerId,
    metadata: session,
    payload: { id: 'true_12025550100@c.us_3EB0', fromMe: true, ack: 2 },
    ...change,
  })
}

function post({ driver }: WahaNetwork, host: string, body: string, headers = signature(fakeHookKey, body)) {
  return driver.ingress?.receive(host, Buffer.from(body), headers)
}

async function waiting(session: GatewaySession): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    'select count(*)::int as count from gateway_inbox where container_id = :containerId',
    { containerId: session.containerId },
  )
  return counted?.count ?? 0
}

describe('a webhook', () => {
  it('that its host signed is stored', async () => {
    const { network, session } = await placed()
    expect(await post(network, network.hostId, webhook(session))).toBe('stored')
    expect(await waiting(session)).toBe(1)
  })

  it('that came before is stored once', async () => {
    const { network, session } = await placed()
    const body = webhook(session)
    for (let n = 0; n < 3; n++) expect(await post(network, network.hostId, body)).toBe('stored')
    expect(await waiting(session)).toBe(1)
  })

  it('is refused without the signature of its host, in any form', async () => {
    const { network, session } = await placed()
    const body = webhook(session)
    const right = String(signature(fakeHookKey, body)['x-webhook-hmac'])
    const wrong = [
      {},
      signature('another-key', body),
      { 'x-webhook-hmac': '' },
      { 'x-webhook-hmac': 'not hexadecimal' },
      { 'x-webhook-hmac': right.slice(0, -2) },
      { 'x-webhook-hmac': `${right}00` },
      signature(fakeHookKey, `${body} `),
    ]
    for (const headers of wrong) expect(await post(network, network.hostId, body, headers)).toBe('refused')
    expect(await waiting(session)).toBe(0)
  })

  it.each(['', 'waha', '../hosts', '00000000-0000-4000-8000-000000000000'])(
    'to the unknown host %j is refused',
    async (host) => {
      const { network, session } = await placed()
      expect(await post(network, host, webhook(session))).toBe('refused')
      expect(await network.driver.ingress?.admits(host, signature(fakeHookKey, ''))).toBe(false)
    },
  )

  it('is read when it carries a signature of the right form, whatever it signs', async () => {
    const { network } = await placed()
    const admits = (headers: Record<string, string>) => network.driver.ingress?.admits(network.hostId, headers)
    expect(await admits(signature('another-key', 'x'))).toBe(true)
    for (const text of ['', 'not hexadecimal', 'ab'.repeat(63), 'ab'.repeat(65), 'xy'.repeat(64)]) {
      expect(await admits({ 'x-webhook-hmac': text })).toBe(false)
    }
    expect(await admits({})).toBe(false)
  })

  it('about a number of another host, or of another organization, is refused', async () => {
    const { network, session } = await placed()
    const other = await placed()
    expect(await post(network, network.hostId, webhook(other.session))).toBe('refused')
    const stolen = { ...session, organizationId: other.session.organizationId }
    expect(await post(network, network.hostId, webhook(session, { metadata: stolen }))).toBe('refused')
    expect(await post(network, network.hostId, webhook(network.newNumber()))).toBe('refused')
    expect([await waiting(session), await waiting(other.session)]).toEqual([0, 0])
  })

  it.each(['', 'no JSON', '[]', '{"event":"message"}'])(
    'that is signed and cannot be read (%j) is dropped, not repeated',
    async (body) => {
      const { network, session } = await placed()
      expect(await post(network, network.hostId, body)).toBe('stored')
      expect(await waiting(session)).toBe(0)
    },
  )

  it('leaves none of its text in the log', async () => {
    const { network, session } = await placed()
    const payload = {
      id: 'false_1@c.us_3A',
      from: '12025550100@c.us',
      fromMe: false,
      body: 'canary-91c2',
      timestamp: 1,
    }
    expect(await post(network, network.hostId, webhook(session, { event: 'message', payload }))).toBe('stored')
    expect(await post(network, network.hostId, '{"body":"canary-91c2"}')).toBe('stored')
    const heard: string[] = []
    const stop = network.driver.subscribe(async (events) => {
      heard.push(...events.map(({ kind }) => kind))
    })
    await eventually(
      async () => heard,
      (kinds) => kinds.includes('message.in'),
    )
    await stop()
    expect(network.log()).not.toContain('canary-91c2')
  })
})
