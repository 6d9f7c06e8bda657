import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeClosed, writeMoving } from '#people/organizations/move-store.ts'
import { type Db, rows } from '#platform/db/db.ts'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { people } from '#testing/features/campaign-people.ts'
import {
  asStream,
  closeForMove,
  exportedFile,
  linesIn,
  linesOf,
  sealLines,
  tablesIn,
} from '#testing/features/moved-file.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { settled } from '#testing/settled.ts'
import { transcriptOf } from '#testing/sim.ts'
import { serveDatabase, startTestServer } from '#testing/start-server.ts'
import { readErasable } from '#upkeep/erasure/catalogue-store.ts'
import { eraseMoved } from '#upkeep/erasure/erase-moved.ts'
import { listNotEmpty } from '#upkeep/erasure/erase-store.ts'
import { importOrganization } from './import.ts'
import { cancelMove, endMove } from './move.ts'

const keys = newSecretsKeys()
const env = { SECRETS_KEYS: keys }

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

const close = ({ server, organization }: Original) => closeForMove(server, organization.organizationId)

/** The rows of an export by table, without the tables that an import changes. */
async function rowsByTable(db: Db, file: Buffer): Promise<Record<string, string[]>> {
  const changed = ['organizations', 'numbers', 'lanes', 'activity_log']
  const tables = await tablesIn(db, await linesIn(file, keys))
  return Object.fromEntries(
    tables.filter(({ table }) => !changed.includes(table)).map(({ table, rows: some }) => [table, some.toSorted()]),
  )
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
    const file = await exportedFile(server.db, organizationId, keys)

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

    const { receipt } = await importOrganization(other.db, asStream(file), keys)
    await writeMoving(other.db, organizationId, true)
    await writeClosed(other.db, organizationId)
    expect(await rowsByTable(other.db, await exportedFile(other.db, organizationId, keys))).toEqual(
      await rowsByTable(server.db, file),
    )
    await cancelMove(other.db, organizationId)

    await endMove(server.db, organizationId, { address: 'https://b.example.com', receipt, secrets: openSecrets(keys) })
    await expect(client.account.me()).rejects.toMatchObject({
      code: 'ORGANIZATION_MOVED',
      status: 421,
      details: { address: 'https://b.example.com' },
    })

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

  it('is kept for seven days where it was, and then deleted but for what recognizes its callers', async () => {
    const original = await makeOriginal()
    const { server, organization, client } = original
    const { organizationId } = organization
    const tables = (await readErasable(server.db)).filter(({ hasOrganization }) => hasOrganization)
    const left = () =>
      listNotEmpty(
        server.db,
        organizationId,
        tables.map(({ table }) => table),
      )
    const move = async () => {
      await close(original)
      const file = await exportedFile(server.db, organizationId, keys)
      const { receipt } = await importOrganization((await testDatabase()).db, asStream(file), keys)
      await endMove(server.db, organizationId, {
        address: 'https://b.example.com',
        receipt,
        secrets: openSecrets(keys),
      })
    }
    await move()
    await cancelMove(server.db, organizationId)
    expect((await client.messages.list({ status: 'queued' })).total).toBe(original.recipients.length + 5)
    await move()
    const before = await left()
    await server.advance(7 * 86_400 - 60)
    await eraseMoved(server.services)
    expect(await left()).toEqual(before)
    await server.advance(60)
    await eraseMoved(server.services)
    expect(await left()).toEqual(['api_keys', 'members', 'user_tokens'])
    await expect(client.account.me()).rejects.toMatchObject({ code: 'ORGANIZATION_MOVED' })
    await expect(cancelMove(server.db, organizationId)).rejects.toThrow('its data is being deleted here')
  })

  it('is not exported while it runs, and not stored twice, from a changed file, or without its keys', async () => {
    const original = await makeOriginal()
    const { server, organization } = original
    const { organizationId } = organization
    const other = await testDatabase()
    const store = (file: Buffer, secretsKeys: string | undefined = keys) =>
      importOrganization(other.db, asStream(file), secretsKeys)
    await expect(exportedFile(server.db, organizationId, keys)).rejects.toThrow('runs here, so both would send')
    await close(original)
    await expect(exportedFile(server.db, organizationId, '')).rejects.toThrow('SECRETS_KEYS is not set')
    const file = await exportedFile(server.db, organizationId, keys)
    const lines = await linesIn(file, keys)
    const tables = await tablesIn(server.db, lines)
    const [header = ''] = lines
    for (const incomplete of [
      lines.slice(0, -1),
      lines.filter((line, n) => line.startsWith('#') || lines[n - 1]?.startsWith('#')),
      linesOf(header, tables.slice(0, -1)),
    ]) {
      await expect(store(await sealLines(incomplete, keys))).rejects.toThrow('incomplete')
    }
    for (const dropped of [1, 16, 5000]) {
      await expect(store(file.subarray(0, -dropped))).rejects.toThrow(/does not open|was changed/)
    }
    await expect(store(file, newSecretsKeys())).rejects.toThrow('the key 1 of SECRETS_KEYS is not that of the other')
    await expect(store(file, `2:${newSecretsKeys().slice(2)}`)).rejects.toThrow('SECRETS_KEYS lacks the key 1')
    await expect(store(file, '')).rejects.toThrow('SECRETS_KEYS lacks the key 1')
    const withTwoKeys = `${keys},2:${newSecretsKeys().slice(2)}`
    await expect(store(await exportedFile(server.db, organizationId, withTwoKeys))).rejects.toThrow('lacks the key 2')
    await expect(store(Buffer.from('{}\n'))).rejects.toThrow('no export')
    expect(await rows(other.db, 'select id from organizations')).toEqual([])
    const { receipt } = await store(file)
    await expect(store(file)).rejects.toThrow(`here already. It was imported with the receipt ${receipt}`)
  })
})
