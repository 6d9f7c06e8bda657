import { describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '../db/db.ts'
import { readErasable } from '../erasure/catalogue-store.ts'
import { listNotEmpty } from '../erasure/erase-store.ts'
import { newSecretsKeys } from '../secrets.ts'
import { testDatabase } from '../testing/database.ts'
import { eventually } from '../testing/eventually.ts'
import { people } from '../testing/features/campaign-people.ts'
import { startReceiver } from '../testing/features/receiver.ts'
import { makeNumber, makeOrganization, makeToken } from '../testing/make.ts'
import { settled } from '../testing/settled.ts'
import { transcriptOf } from '../testing/sim.ts'
import { serveDatabase, startTestServer } from '../testing/start-server.ts'
import { closeMoving } from './close-numbers.ts'
import { exportOrganization } from './export.ts'
import { mark } from './file.ts'
import { importOrganization } from './import.ts'
import { beginMove, cancelMove, endMove } from './move.ts'

const keys = newSecretsKeys()
const env = { SECRETS_KEYS: keys }
const at = { drainSeconds: 0, timeoutSeconds: 20 }

/** An organization of which everything is about to leave, beside one that stays. */
async function makeOriginal() {
  const server = await startTestServer({ worker: false, env })
  const receiver = await startReceiver()
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const client = server.client(organization)
  const token = await makeToken(server, organization)
  await client.webhook.set({ webhookUrl: receiver.url })
  const recipients = Array.from({ length: 20 }, (_, n) => `1202555${String(3000 + n)}`)
  const batch = await client.alert.batch(
    { recipients, message: 'queued before the move' },
    { idempotencyKey: 'before-the-move' },
  )
  const campaign = await client.campaigns.create({ name: 'Sending', template: 'hi', recipients: people(5) })
  await client.campaigns.send({ id: campaign.campaign.id })
  const sendAt = new Date(server.services.clock.now().getTime() + 60_000).toISOString()
  await client.reminders.create({ phone: '12025553200', message: 'due in a minute', sendAt })
  await client.otp.send({ phone: '12025553300' })
  return { server, receiver, organization, containerId, client, token, batch, recipients }
}

type Original = Awaited<ReturnType<typeof makeOriginal>>

async function close({ server, organization }: Original): Promise<void> {
  const closed = beginMove(server.db, organization.organizationId, at)
  await eventually(
    async () => {
      await closeMoving(server.services)
      return rows(server.db, 'select 1 as one from organizations where closed_at is not null')
    },
    (found) => found.length === 1,
  )
  await closed
}

async function exported(db: Original['server']['db'], organizationId: string): Promise<string[]> {
  let text = ''
  await exportOrganization(db, organizationId, keys, async (some) => {
    text += some
  })
  return text.trimEnd().split('\n')
}

async function* linesOf(lines: readonly string[]) {
  yield* lines
}

/** The rows of an export by table, without the tables that an import changes. */
function rowsByTable(lines: readonly string[]): Record<string, string[]> {
  const tables: Record<string, string[]> = {}
  let current: string[] = []
  for (const line of lines.slice(1)) {
    if (!line.startsWith(mark)) current.push(line)
    else {
      const { table } = JSON.parse(line.slice(mark.length)) as { table?: string }
      current = []
      if (table !== undefined && !['organizations', 'numbers', 'lanes', 'activity_log'].includes(table))
        tables[table] = current
    }
  }
  for (const each of Object.values(tables)) each.sort()
  return tables
}

describe('an organization that moves', () => {
  it('is refused and at rest here, and works there with all of its data, everything once', async () => {
    const original = await makeOriginal()
    const { server, receiver, organization, containerId, client, batch, recipients } = original
    const { organizationId } = organization
    const neighbour = await makeOrganization(server)
    await makeNumber(server, neighbour)
    const other = await testDatabase()
    await close(original)
    await expect(client.account.me()).rejects.toMatchObject({
      code: 'SERVICE_BUSY',
      details: { retryAfterSeconds: 5, outcome: 'not_sent' },
    })
    await expect(server.client(neighbour).account.me()).resolves.toBeDefined()
    const lines = await exported(server.db, organizationId)

    // The worker begins nothing for it, however long it stays closed.
    const worker = await serveDatabase(server.db, server.databaseUrl, { env })
    onTestFinished(() => worker.stop())
    const before = await transcriptOf(server, containerId)
    await worker.advance(3600)
    const beside = server.client(neighbour)
    const { messageId } = await beside.alert.send({ phone: '12025550100', message: 'beside' })
    await worker.advance(60)
    await eventually(
      () => beside.messages.get({ id: messageId }),
      ({ message }) => message.status === 'read',
    )
    expect(await transcriptOf(server, containerId)).toEqual(before)
    expect(receiver.received).toEqual([])
    await worker.stop()

    await importOrganization(other.db, linesOf(lines), keys)
    expect(rowsByTable(await exported(other.db, organizationId))).toEqual(rowsByTable(lines))
    await endMove(server.db, organizationId, 'https://b.example.com')
    await expect(client.account.me()).rejects.toMatchObject({
      code: 'ORGANIZATION_MOVED',
      status: 421,
      details: { address: 'https://b.example.com' },
    })
    const tables = (await readErasable(server.db)).filter(({ hasOrganization }) => hasOrganization)
    const left = tables.map(({ table }) => table)
    expect(await listNotEmpty(server.db, organizationId, left)).toEqual(['api_keys', 'members', 'user_tokens'])

    const there = await serveDatabase(other.db, other.url, { env })
    onTestFinished(() => there.stop())
    const moved = there.client(organization)
    await eventually(
      () => moved.numbers.status(),
      ({ status }) => status === 'WORKING',
    )
    const again = await moved.alert.batch(
      { recipients, message: 'queued before the move' },
      { idempotencyKey: 'before-the-move' },
    )
    expect(again).toEqual(batch)
    await there.advance(3600)
    await settled(other.db)
    const received = await transcriptOf(there, containerId)
    // The texts, the campaign, the reminder and the one-time code, which was sent before.
    expect(received).toHaveLength(recipients.length + 5 + 1 + 1)
    expect(new Set(received.map(({ to, content }) => JSON.stringify([to, content]))).size).toBe(received.length)
    await expect(there.client({ token: original.token }).account.me()).resolves.toBeDefined()
    await eventually(
      async () => new Set(receiver.received.map(({ body }) => body)).size,
      (count) => count > recipients.length,
    )
  })

  it('works here again when the move is cancelled', async () => {
    const original = await makeOriginal()
    const { server, organization, client } = original
    await close(original)
    await cancelMove(server.db, organization.organizationId)
    const worker = await serveDatabase(server.db, server.databaseUrl, { env })
    onTestFinished(() => worker.stop())
    await eventually(
      () => client.numbers.status(),
      ({ status }) => status === 'WORKING',
    )
    await worker.advance(600)
    await settled(server.db)
    const { messages } = await client.messages.list({ status: 'queued' })
    expect(messages).toEqual([])
  })

  it('is not stored twice, nor from an incomplete file, nor while it runs elsewhere, nor without its keys', async () => {
    const original = await makeOriginal()
    const { server, organization } = original
    const other = await testDatabase()
    const running = await exported(server.db, organization.organizationId)
    const store = (lines: readonly string[], secretsKeys = keys) =>
      importOrganization(other.db, linesOf(lines), secretsKeys)
    await expect(store(running)).rejects.toThrow('exported while it ran')
    await close(original)
    const lines = await exported(server.db, organization.organizationId)
    await expect(store(lines.slice(0, -1))).rejects.toThrow('incomplete')
    await expect(
      store(lines.filter((line, n) => line.startsWith(mark) || lines[n - 1]?.startsWith(mark))),
    ).rejects.toThrow('incomplete')
    await expect(store(lines, newSecretsKeys())).rejects.toThrow('SECRETS_KEYS lacks the key 1')
    await expect(store(['{}'])).rejects.toThrow('no export')
    expect(await rows(other.db, 'select id from organizations')).toEqual([])
    await store(lines)
    await expect(store(lines)).rejects.toThrow('here already')
  })
})
