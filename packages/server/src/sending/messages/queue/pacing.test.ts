import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { type TranscriptEntry, transcriptOf } from '#testing/sim.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { UNSAFE_DISABLE_PACING: 'false' } })
await server.services.clock.freeze()
const organization = await makeOrganization(server)
const client = server.client(organization)

async function statuses(containerId: string): Promise<Record<string, string>> {
  const found = await rows<{ content: string; status: string }>(
    server.db,
    'select content, status from messages where container_id = :containerId',
    { containerId },
  )
  return Object.fromEntries(found.map(({ content, status }) => [content, status]))
}

async function arrived(containerId: string, count: number): Promise<TranscriptEntry[]> {
  return eventually(
    () => transcriptOf(server, containerId),
    (entries) => entries.length >= count,
  )
}

function textOf(entry: TranscriptEntry): string {
  return (entry.content as { text: string }).text
}

describe('the pace of a number', () => {
  it('types first, leaves a second between two texts, and lets high ones pass at once and untyped', async () => {
    const containerId = await makeNumber(server, organization)
    const send = (message: string, { phone = '12025550100', priority = 'normal' as 'high' | 'normal' } = {}) =>
      client.alert.send({ phone, message, priority, containerId })
    for (const message of ['first', 'second', 'third']) await send(message)
    await eventually(
      () => statuses(containerId),
      (seen) => Object.values(seen).every((status) => status === 'sending'),
    )
    expect(await transcriptOf(server, containerId)).toEqual([])

    // To another person: the typing indicator of a chat is shown until its text arrives.
    await send('urgent', { phone: '12025550121', priority: 'high' })
    const [urgent] = await arrived(containerId, 1)
    expect(urgent).toMatchObject({ typed: false })

    for (let second = 0; second < 4; second += 1) {
      await server.advance(1)
      await arrived(containerId, 1 + Math.min(3, second + 1))
    }
    const entries = await transcriptOf(server, containerId)
    expect(entries.map(textOf)).toEqual(['urgent', 'first', 'second', 'third'])
    const paced = entries.slice(1)
    expect(paced.every((entry) => entry.typed)).toBe(true)
    for (let n = 1; n < paced.length; n += 1) {
      expect(Date.parse(paced[n]?.at ?? '') - Date.parse(paced[n - 1]?.at ?? '')).toBeGreaterThanOrEqual(1000)
    }
  })
})

describe('a worker that stops', () => {
  it('gives back what it had not begun to send, and counts no attempt for it', async () => {
    const containerId = await makeNumber(server, organization)
    const second = await serveDatabase(server.db, server.databaseUrl, { env: { UNSAFE_DISABLE_PACING: 'false' } })
    for (const message of ['a', 'b', 'c']) await client.alert.send({ phone: '12025550100', message, containerId })
    await eventually(
      () => statuses(containerId),
      (seen) => Object.values(seen).every((status) => status === 'sending'),
    )
    await Promise.all([second.stop(), server.stop()])
    const left = await rows<{ status: string; attempts: number }>(
      server.db,
      'select status, attempts from messages where container_id = :containerId',
      { containerId },
    )
    expect(left).toEqual([
      { status: 'queued', attempts: 0 },
      { status: 'queued', attempts: 0 },
      { status: 'queued', attempts: 0 },
    ])
  })
})
