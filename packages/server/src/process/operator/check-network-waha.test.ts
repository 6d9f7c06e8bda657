import type { GatewayEvent } from '@msgctl/network/events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Db, rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import type { FakeWaha } from '#testing/waha/fake-waha.ts'
import { inboundShape } from '#testing/waha/shapes.ts'
import { useFakeWaha, wahaEnvironment } from '#testing/waha/test-gateway.ts'
import { checkCommand } from './check-command.ts'

const server = await startTestServer({ env: wahaEnvironment })
const { db, databaseUrl, address, services } = server
const { fake } = await useFakeWaha(db, databaseUrl, { address, config: services.config })
const organization = await makeOrganization(server)

interface OwnNumber {
  readonly containerId: string
  readonly phone: string
}

/** Links a number to a phone behind the fake server. */
async function link(): Promise<OwnNumber> {
  const containerId = await makeNumber(server, organization)
  const [found] = await rows<{ phone: string }>(
    db,
    'select phone_number as phone from numbers where id = :containerId',
    {
      containerId,
    },
  )
  return { containerId, phone: found?.phone ?? '' }
}

interface SentRow {
  readonly id: string
  readonly containerId: string
  readonly recipient: string
  readonly networkId: string
  readonly content: string
  readonly isEdited: boolean
  readonly isDeleted: boolean
}

const sentRows = `
  select id, container_id, recipient, gateway_message_id as network_id, content,
         edited_at is not null as is_edited, deleted_at is not null as is_deleted
    from messages where gateway_message_id is not null`

/**
 * Carries what a number sends to the other number, by the webhooks of WAHA: the phones behind the fake server are those
 * of people. Returns what stops it.
 */
function carry(database: Db, waha: FakeWaha, numbers: readonly OwnNumber[]): () => Promise<void> {
  const carried = new Set<string>()
  const once = async (what: string, run: () => Promise<void>) => {
    if (carried.has(what)) return
    carried.add(what)
    await run()
  }
  async function pass({ id, networkId, content, ...row }: SentRow): Promise<void> {
    const to = numbers.find(({ phone }) => phone === row.recipient)
    const from = numbers.find(({ containerId }) => containerId === row.containerId)
    if (!to || !from) return
    const event: Extract<GatewayEvent, { kind: 'message.in' }> = {
      kind: 'message.in',
      containerId: to.containerId,
      organizationId: organization.organizationId,
      at: new Date(),
      message: {
        networkId,
        from: { kind: 'phone', digits: from.phone },
        senderName: 'Number',
        type: 'chat',
        text: content,
        raw: null,
      },
    }
    await once(id, () => waha.emit(to.containerId, 'message', inboundShape('GOWS', event, null)))
    const edited = { id: `true_x@c.us_${networkId}`, editedMessageId: networkId, body: content }
    if (row.isEdited) await once(`${id} edited`, () => waha.emit(to.containerId, 'message.edited', edited))
    const revoked = { revokedMessageId: networkId, _data: {} }
    if (row.isDeleted) await once(`${id} deleted`, () => waha.emit(to.containerId, 'message.revoked', revoked))
  }
  let isOver = false
  const carrying = eventually(
    async () => {
      for (const row of await rows<SentRow>(database, sentRows)) await pass(row)
    },
    () => isOver,
    60_000,
  )
  return async () => {
    isOver = true
    await carrying
  }
}

async function check(...words: string[]): Promise<string> {
  let out = ''
  await checkCommand({
    env: { ...wahaEnvironment, NODE_ENV: 'test', DATABASE_URL: databaseUrl },
    write: (text) => {
      out += text
    },
    complain: () => undefined,
    readInput: async () => '',
    ask: async () => null,
    end: () => undefined,
    leave: (exitCode) => {
      throw new Error(`left with ${exitCode}`)
    },
  }).parseAsync(['network', '--yes', ...words], { from: 'user' })
  return out
}

describe('check network over WAHA', () => {
  it('tries each server, and says whether its webhooks arrive', async () => {
    const { url } = fake
    await link()
    await eventually(
      () => rows<{ heard: boolean }>(db, 'select heard_at is not null as heard from waha_sessions'),
      (found) => found.some(({ heard }) => heard),
    )
    const out = await check()
    expect(out).toMatch(
      new RegExp(`^ok +WAHA ${url} +GOWS \\d{4}\\.\\d+\\.\\d+ made and deleted a session in \\d+ ms$`, 'm'),
    )
    expect(out).toMatch(/^ok +Webhooks \S+ +the last one arrived within \d+ min$/m)
    expect(out).not.toMatch(/^failed/m)
    await rows(db, `update waha_sessions set heard_at = heard_at - interval '2 hours'`)
    expect(await check()).toMatch(
      /^note +Webhooks \S+ +The last one arrived 12\d min ago\. Check that this server reaches/m,
    )
    await rows(db, 'update waha_sessions set heard_at = null')
    expect(await check()).toMatch(/^failed +Webhooks \S+ +None arrived yet\. Check that this server reaches http/m)
    await rows(db, `update waha_hosts set url = 'http://127.0.0.1:9'`)
    onTestFinished(async () => {
      await rows(db, 'update waha_hosts set url = :url', { url })
    })
    expect(await check()).toMatch(/^failed +WAHA \S+ +No WAHA server responds at http:\/\/127\.0\.0\.1:9\. Check the/m)
  })

  it('lets two numbers write to each other', { timeout: 60_000 }, async () => {
    const [number, peer] = [await link(), await link()]
    onTestFinished(carry(db, fake, [number, peer]))
    const steps = 'check,location,contact,link,poll,edit,forward,delete'
    const pair = ['--number', number.containerId, '--peer', peer.containerId]
    const out = await check(...pair, '--wait', '10', '--kill', '--only', steps)
    const found = out.split('\n').map((line) =>
      line
        .slice(0, 32)
        .trim()
        .replace(/\+\d+| http.*/, '+'),
    )
    expect(found.filter((line) => line.startsWith('ok')).map((line) => line.slice(8))).toEqual([
      ...[
        'WAHA+',
        'Webhooks+',
        'Check of +',
        'Check of +',
        'Cold text',
        'Text back',
        'Location',
        'Contact',
        'Link',
        'Poll',
      ],
      ...['Edit', 'Forward', 'Delete'],
    ])
    expect(found.filter((line) => line.startsWith('failed'))).toEqual([])
    expect(out).toMatch(/^note {4}Host ended +Not done: a WAHA server connects the number/m)
  })
})
