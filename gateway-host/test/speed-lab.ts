import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@msgctl/embedded-postgres'
import { testFileHosts } from '@msgctl/network/files/hosts'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { releasedWebVersion } from '@msgctl/network/web-version'
import { toLid } from '@msgctl/server/networks/simulator/people/lid'
import { connect } from '@msgctl/server/platform/db/db'
import { migrate } from '@msgctl/server/platform/db/migrate'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { scanShown } from '@msgctl/server/testing/direct/scan-shown'
import pg from 'pg'
import pino from 'pino'
import { expect } from 'vitest'
import { baileysEngine } from '../src/engine/baileys/engine.ts'
import { openFileNetwork } from '../src/engine/baileys/file-access.ts'
import { wireVersion } from '../src/engine/baileys/stanzas.ts'
import { Host } from '../src/host/host.ts'
import { LoginPace } from '../src/host/login-pace.ts'
import { WebVersions } from '../src/host/web-versions.ts'
import { LeaseClock } from '../src/leases/lease-clock.ts'
import { LeaseStore } from '../src/leases/lease-store.ts'
import { HistoryWriter } from '../src/number/history-writer.ts'
import { send } from '../src/number/sending.ts'
import { withSecret } from '../src/translate/outbound-content.ts'
import { createCommitter } from '../src/vault/committer.ts'
import { startNetwork } from './start-process.ts'
import { linkStockClient } from './stock-client.ts'

const leaseMs = 60_000
const timeoutMs = 30_000
const text = 'a message of a benchmark, about as long as a text is'

/** Something that sends as one number. */
export interface Sender {
  /** Sends a text with this id, and resolves when the network has acknowledged it. */
  send(digits: string, id: string): Promise<unknown>
}

/** A network as a process of its own, and in this process a host at a database that writes to the disk. */
export async function openSpeedLab() {
  const folder = mkdtempSync(path.join(tmpdir(), 'gateway-speed-'))
  const postgres = await startEmbeddedPostgres({ dataDir: path.join(folder, 'pg') })
  const db = connect(postgres.url)
  await migrate(db)
  const pool = new pg.Pool({ connectionString: postgres.url, max: 8 })
  const network = await startNetwork()
  const files = await openFileNetwork(testFileHosts(network.files))
  const [hostId, leaseClock, ignore] = [randomUUID(), new LeaseClock(leaseMs), () => undefined]
  const leases = new LeaseStore(pool, hostId, leaseMs)
  let [commits, commitSeconds] = [0, 0]
  const figures = {
    failed: ignore,
    observe(seconds: number) {
      commits++
      commitSeconds += seconds
    },
  }
  const log = pino({ level: 'silent' })
  const host = new Host({
    pool,
    linkPool: pool,
    engine: baileysEngine(Buffer.from(network.root, 'hex')),
    config: { url: network.url, files, leases: leaseClock, trace: null, keepAliveMs: 30_000 },
    onReconnect: ignore,
    onEvents: ignore,
    onFenced: ignore,
    direct: { room: 100, take: ignore },
    logins: new LoginPace(1000),
    secrets: openSecrets(newSecretsKeys()),
    leases,
    committer: createCommitter({ pool, hostId, figures }),
    leaseMs,
    capacity: 100,
    url: 'http://127.0.0.1',
    version: '0',
    webVersions: new WebVersions({ pool, fixed: releasedWebVersion.version, url: null, log }),
    history: new HistoryWriter({ pool, log, onFailed: ignore }),
    log,
  })
  await host.start()
  cleanUpAfterFile(async () => {
    await host.stop()
    await files.close()
    await network.end()
    await pool.end()
    await db.destroy()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Links a number of the host. */
  async function linkOurs(phone: string): Promise<Sender> {
    const containerId = randomUUID()
    await pool.query(
      `insert into gateway_sessions (container_id, organization_id, wanted, sequence) values ($1, $2, 'running', 1)`,
      [containerId, randomUUID()],
    )
    await host.poll()
    const number = host.numbers.get(containerId) ?? expect.fail('the host has not taken the number')
    await expect.poll(() => number.qr?.text, { interval: 5 }).toBeDefined()
    await scanShown(
      async () => number.qr?.text ?? '',
      (qr) => network.network.scan({ qr, phone }),
    )
    await expect.poll(() => number.status, { interval: 5 }).toBe('WORKING')
    return {
      send: (digits, id) =>
        send(
          number,
          { containerId, to: { kind: 'phone', digits }, content: { kind: 'text', text }, clientId: id, timeoutMs },
          null,
        ),
    }
  }

  /** Links the library without us, with its keys in memory. */
  async function linkBare(phone: string): Promise<Sender> {
    // It does not follow a secret that is renewed. What it sends has the names that the network wants.
    await network.network.setRule({ rule: 'qr-secret-rotates', isApplied: false })
    const by = { onQr: (qr: string) => network.network.scan({ qr, phone }) }
    const { socket } = await linkStockClient(network.url, by, { version: wireVersion(releasedWebVersion.version) })
    await network.network.setRule({ rule: 'qr-secret-rotates', isApplied: true })
    cleanUpAfterFile(() => socket.end(undefined))
    const waiting = new Map<string, () => void>()
    socket.ws.on('CB:ack,class:message', ({ attrs }: { attrs: { id: string } }) => waiting.get(attrs.id)?.())
    return {
      async send(digits, id) {
        const acknowledged = new Promise<void>((resolve) => waiting.set(id, resolve))
        const additionalAttributes = { peer_recipient_pn: `${digits}@s.whatsapp.net` }
        // With a secret, as every message of the library and of us has one: from it follows the token beside the text.
        const message = withSecret({ extendedTextMessage: { text } })
        await socket.relayMessage(toLid(digits), message, { messageId: id, additionalAttributes })
        await acknowledged
        waiting.delete(id)
      },
    }
  }

  const commitFigures = () => ({ commits, commitMs: commits === 0 ? 0 : (commitSeconds / commits) * 1000 })
  return { net: network.network, linkOurs, linkBare, commitFigures }
}
