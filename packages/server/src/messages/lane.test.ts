import { describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '../db/db.ts'
import { eventually } from '../test/eventually.ts'
import { makeNumber, makeOrganization } from '../test/make.ts'
import { type TranscriptEntry, transcriptOf } from '../test/sim.ts'
import { serveDatabase, startTestServer, type TestServer } from '../test/start-server.ts'
import { sweepQueue } from './sweep.ts'

// Without a worker nothing leaves, so a test decides when somebody begins to send.
const api = await startTestServer({ worker: false })
const organization = await makeOrganization(api)
const client = api.client(organization)

async function send(containerId: string, message: string, priority: 'high' | 'normal' | 'low' = 'normal') {
  const sent = await client.alert.send({ phone: '12025550121', message, priority, containerId })
  return sent.messageId
}

function textOf(entry: TranscriptEntry | undefined): string | undefined {
  return (entry?.content as { text: string } | undefined)?.text
}

/** Somebody begins to send, until the test is over. */
async function startSending(env: Record<string, string> = {}): Promise<TestServer> {
  const worker = await serveDatabase(api.db, api.databaseUrl, { env })
  onTestFinished(() => worker.stop())
  return worker
}

async function statusOf(id: string) {
  return (await client.messages.get({ id })).message
}

describe('a lane', () => {
  it('holds its messages while its number is stopped, and sends them once it is started', async () => {
    const containerId = await makeNumber(api, organization)
    const id = await send(containerId, 'hello')
    await client.numbers.stop({ containerId })
    const worker = await startSending()
    await sweepQueue(worker.services)
    expect((await statusOf(id)).status).toBe('queued')
    await client.numbers.start({ containerId })
    await eventually(
      () => statusOf(id),
      (message) => message.status === 'delivered',
    )
  })

  it('fails what could not be sent for 24 hours because its number was down, and nothing sooner', async () => {
    const containerId = await makeNumber(api, organization)
    const id = await send(containerId, 'stale')
    await client.numbers.stop({ containerId })
    await api.advance(86_300)
    await sweepQueue(api.services)
    expect((await statusOf(id)).status).toBe('queued')
    await api.advance(200)
    await sweepQueue(api.services)
    expect(await statusOf(id)).toMatchObject({ status: 'failed', errorCode: 'MESSAGE_EXPIRED' })
  })

  it('is mended by the sweep when it does not know of a message that waits', async () => {
    const containerId = await makeNumber(api, organization)
    const id = await send(containerId, 'stranded')
    await rows(api.db, `update lanes set next_at = 'infinity', open = false where container_id = :containerId`, {
      containerId,
    })
    await sweepQueue(api.services)
    await startSending()
    await eventually(
      () => statusOf(id),
      (message) => message.status === 'delivered',
    )
  })

  // Last, because a frozen clock stays frozen.
  it('sends a low message after normal ones that came with it, and before normal ones that came two minutes later', async () => {
    const containerId = await makeNumber(api, organization)
    await send(containerId, 'low', 'low')
    await send(containerId, 'early')
    await api.advance(121)
    await send(containerId, 'late')
    await send(containerId, 'urgent', 'high')
    await api.services.clock.freeze()
    const worker = await startSending({ PACING: 'on' })
    const texts: (string | undefined)[] = []
    for (const expected of ['urgent', 'early', 'low', 'late']) {
      const entries = await eventually(
        () => transcriptOf(api, containerId),
        (seen) => seen.length === texts.length + 1,
      )
      texts.push(textOf(entries.at(-1)))
      expect(texts.at(-1)).toBe(expected)
      await worker.advance(1)
    }
  })
})
