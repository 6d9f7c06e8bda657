import type { Driver, GatewayCapability, GatewayHandler } from '@msgctl/network/gateway'
import { openInbox } from '#networks/gateway/inbox/inbox.ts'
import type { Services } from '#services.ts'
import { wahaClient } from './client.ts'
import type { WahaContext } from './context.ts'
import { fileLinks } from './file-links.ts'
import { hasRoom } from './host-store.ts'
import { type Host, openHosts } from './hosts.ts'
import { ingress, translate } from './ingress.ts'
import { onceHosted, startPoller } from './poller.ts'
import { readCalls } from './reading.ts'
import { sendCalls } from './sending.ts'
import { sessionCache } from './session-cache.ts'
import { sessionCalls } from './sessions.ts'
import { openRepairs } from './watch/repairs.ts'
import { callWorking } from './working.ts'

const capabilities: readonly GatewayCapability[] = [
  'qr',
  'pair',
  'passkey',
  'typing',
  'read',
  'poll',
  'edit',
  'delete',
  'forward',
  'lid',
  'history',
]

const pingTimeoutMs = 3000

/** Opens the driver for WAHA servers (https://waha.devlike.pro). It opens no connection before the first call. */
export function waha(
  services: Pick<Services, 'db' | 'clock' | 'wake' | 'secrets' | 'log' | 'metrics' | 'config'>,
): Driver {
  const { db, clock, wake, secrets, log, metrics, config } = services
  const files = fileLinks()
  const client = wahaClient()
  const parts = {
    db,
    clock,
    wake,
    log,
    metrics,
    client,
    hosts: openHosts(db, secrets),
    cache: sessionCache(),
    files,
    callbackUrl: config.gatewayCallbackUrl,
  }
  const ctx: WahaContext = { ...parts, repairs: openRepairs(parts) }
  const inbox = openInbox(services, 'waha', translate)
  const sessions = sessionCalls(ctx)
  const call = callWorking(ctx, sessions.state)
  const stops = new Set<() => Promise<void>>()

  async function isResponding(host: Host): Promise<boolean> {
    const ping = { method: 'GET', path: '/ping', timeoutMs: pingTimeoutMs } as const
    return client.call(host, ping).then(
      () => true,
      () => false,
    )
  }

  function subscribe(handler: GatewayHandler): () => Promise<void> {
    const end = onceHosted(ctx, () => [inbox.subscribe(handler), startPoller(ctx, inbox)])
    const stop = async () => {
      stops.delete(stop)
      await end()
    }
    stops.add(stop)
    return stop
  }

  return {
    name: 'waha',
    caps: new Set(capabilities),
    ...sessions,
    ...sendCalls(ctx, call),
    ...readCalls(ctx, call),
    ingress: { ...ingress(ctx, inbox), file: (token) => files.find(token) },
    subscribe,
    async health(session) {
      try {
        const hosts = session ? [await ctx.hosts.find(session)] : await ctx.hosts.all()
        const responding = await Promise.all(hosts.map((host) => host === undefined || isResponding(host)))
        return responding.every(Boolean) ? { ok: true } : { ok: false, detail: 'A WAHA server does not respond.' }
      } catch {
        return { ok: false, detail: 'The WAHA servers cannot be read from the database.' }
      }
    },
    async silentHosts(numbers) {
      const hosts = await ctx.hosts.findMany(numbers)
      const distinct = new Map([...hosts.values()].map((host) => [host.id, host]))
      const responding = new Map(
        await Promise.all([...distinct.values()].map(async (host) => [host.id, await isResponding(host)] as const)),
      )
      const isSilent = (host: Host | undefined) => host !== undefined && responding.get(host.id) === false
      return new Set(numbers.flatMap(({ containerId }) => (isSilent(hosts.get(containerId)) ? [containerId] : [])))
    },
    hasRoom: () => hasRoom(ctx.db),
    async close() {
      await Promise.all([...stops].map((stop) => stop()))
      await inbox.close()
      await client.close()
    },
  }
}
