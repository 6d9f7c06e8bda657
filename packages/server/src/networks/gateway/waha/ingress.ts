import type { Driver } from '@msgctl/network/gateway'
import type { Inbox } from '#networks/gateway/inbox/inbox.ts'
import type { WahaContext } from './context.ts'
import { type Envelope, payloads } from './envelope.ts'
import { parseEnvelope, toReports } from './events.ts'
import { findHostId, findHostIds } from './host-store.ts'
import { type Host, isSignature, isSignedBy } from './hosts.ts'
import { writeReported } from './session-store.ts'
import { hearing } from './watch/deafness.ts'
import { noteLimits } from './watch/limits.ts'
import { readLimits } from './watch/watch-store.ts'

const signatureHeader = 'x-webhook-hmac'

/** Translates a stored webhook. Throws for one that cannot be read. */
export function translate({ body }: { readonly body: Uint8Array }) {
  const envelope = parseEnvelope(parseJson(body))
  if (!envelope) throw new Error('the webhook cannot be read')
  return toReports(envelope)
}

/**
 * Creates the entry for webhooks. A webhook is stored when it is signed by the host that the address names, and names a
 * number of that host. Anything else is refused; what is signed and cannot be read is dropped, because WAHA would
 * repeat it.
 */
export function ingress(ctx: WahaContext, inbox: Inbox): NonNullable<Driver['ingress']> {
  const { db, hosts, cache, log } = ctx

  async function isPlacedOn(host: Host, { metadata }: Envelope): Promise<boolean> {
    const placed = await findHostIds(db, [metadata])
    return placed.get(metadata.containerId) === host.id && (await findHostId(db, metadata)) === host.id
  }

  /** A state is known to every later call from here on, before it is handed out. */
  async function noteState(host: Host, { event, payload, metadata, me, timestamp }: Envelope): Promise<void> {
    const parsed = event === 'session.status' ? payloads[event].safeParse(payload) : null
    if (!parsed?.success) return
    const { status } = parsed.data
    const isLatest = await writeReported(db, metadata, { status, sequence: timestamp })
    if (!isLatest) return
    cache.hear(metadata.containerId, status)
    if (status !== 'WORKING') return
    const reported = await readLimits(db, metadata)
    await noteLimits(ctx, inbox, { hostId: host.id, session: metadata, account: me, atMs: timestamp, reported })
  }

  const hear = hearing(ctx)
  const findHost = async (hostId: string) => (isUuid(hostId) ? hosts.get(hostId) : undefined)

  return {
    admits: async (hostId, headers) => isSignature(headers[signatureHeader]) && (await findHost(hostId)) !== undefined,
    async receive(hostId, raw, headers) {
      const host = await findHost(hostId)
      if (!host || !isSignedBy(host, raw, headers[signatureHeader])) return 'refused'
      const envelope = parseEnvelope(parseJson(raw))
      if (!envelope) {
        log.warn({ event: 'waha_webhook_unreadable', host: hostId, bytes: raw.length }, 'dropped an unreadable webhook')
        return 'stored'
      }
      if (!(await isPlacedOn(host, envelope))) return 'refused'
      const { id: eventId, event, metadata } = envelope
      await inbox.store({ host: hostId, eventId, ...metadata, body: raw })
      await noteState(host, envelope)
      await hear(metadata, event)
      return 'stored'
    },
  }
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

function parseJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(raw).toString('utf8'))
  } catch {
    return undefined
  }
}
