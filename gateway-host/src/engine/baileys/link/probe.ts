import type { NetworkProbe } from '@msgctl/network/calls'
import { startTimeLimit } from '@msgctl/network/timeout'
import makeSocket, { Browsers, initAuthCreds, type SignalKeyStore } from 'baileys'
import type { ConnectionConfig } from '../../engine.ts'
import { closingOf, noUpgrade } from '../closing.ts'
import { fileAccess } from '../file-access.ts'
import { proxyWays } from '../proxy.ts'
import { silentLogger } from '../silent-logger.ts'
import { wireVersion } from '../stanzas.ts'

const patienceMs = 20_000

/** A device of no account has no keys worth keeping. */
const noKeys: SignalKeyStore = { get: async () => ({}), set: () => undefined }

type Way = NetworkProbe['connection']

/**
 * Tries the way to the network with a device that belongs to no account: up to the offer of a QR, which shows that
 * address, proxy, version and the keys of the network are right. Nothing is linked, and no QR is shown.
 */
export async function probeNetwork(config: ConnectionConfig): Promise<NetworkProbe> {
  const proxy = config.proxy === null ? null : proxyWays(config.proxy)
  const { dispatcher } = fileAccess(config.files, proxy?.dispatcher ?? null)
  const [connection, { aheadMs, ...files }] = await Promise.all([
    tryConnection(config, proxy?.agent),
    tryFiles(config.files.hosts.host, dispatcher),
  ])
  return { version: config.version, connection, files, aheadMs }
}

function tryConnection({ url, version }: ConnectionConfig, agent: ReturnType<typeof proxyWays>['agent'] | undefined) {
  const { host } = new URL(url)
  const startedMs = performance.now()
  const socket = makeSocket({
    auth: { creds: initAuthCreds(), keys: noKeys },
    logger: silentLogger,
    waWebSocketUrl: url,
    ...(agent && { agent }),
    version: wireVersion(version),
    browser: Browsers.ubuntu('Chrome'),
  })
  return new Promise<Way>((resolve) => {
    const finish = (way: Omit<Way, 'host'>) => {
      clearTimeout(timer)
      resolve({ host, ...way })
      void Promise.resolve(socket.end(undefined)).catch(() => undefined)
    }
    const silent = { offeredMs: null, code: null, obstacle: 'ETIMEDOUT' }
    const timer = setTimeout(() => finish(silent), patienceMs)
    socket.ws.on('CB:iq,type:set,pair-device', () =>
      finish({ offeredMs: Math.round(performance.now() - startedMs), code: null, obstacle: null }),
    )
    socket.ws.on('unexpected-response', (request: { destroy(): void }, { statusCode = 0 }: { statusCode?: number }) => {
      request.destroy()
      void socket.end(noUpgrade(statusCode))
    })
    socket.ev.on('connection.update', ({ lastDisconnect }) => {
      if (!lastDisconnect) return
      const { code, obstacle } = closingOf(lastDisconnect.error, Date.now())
      finish({ offeredMs: null, code, obstacle })
    })
  })
}

type Files = NetworkProbe['files'] & Pick<NetworkProbe, 'aheadMs'>

async function tryFiles(host: string, dispatcher: ReturnType<typeof fileAccess>['dispatcher']): Promise<Files> {
  const startedMs = performance.now()
  const { signal, end } = startTimeLimit(patienceMs)
  try {
    const { headers, body } = await dispatcher.request({ origin: `https://${host}`, path: '/', method: 'GET', signal })
    await body.dump()
    const networkMs = Date.parse(String(headers.date))
    const respondedMs = Math.round(performance.now() - startedMs)
    // The header has whole seconds.
    const aheadMs = Number.isNaN(networkMs) ? null : Math.round(Date.now() - networkMs - 500)
    return { host, respondedMs, obstacle: null, aheadMs }
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    return { host, respondedMs: null, obstacle: typeof code === 'string' ? code : name, aheadMs: null }
  } finally {
    end()
  }
}
