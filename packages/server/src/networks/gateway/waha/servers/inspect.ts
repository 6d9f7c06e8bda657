import { GatewayError } from '@msgctl/network/errors'
import * as z from 'zod'
import type { WahaAddress, WahaClient } from '#networks/gateway/waha/client.ts'
import { type Engine, engines } from '#networks/gateway/waha/host-store.ts'
import { adviceAbout } from './advice.ts'
import { isAtLeast } from './version.ts'

/** Why a WAHA server cannot be added or changed, in a sentence for the operator. */
export class WahaRefusal extends Error {}

/** What a WAHA server is, and what its operator should know. */
export interface Inspection {
  readonly version: string
  readonly engine: Engine
  readonly advice: readonly string[]
}

/** Before this version WAHA could stop to report while a session works, and had no passkeys. */
const oldestVersion = [2026, 7, 1] as const
/** Since this version WAHA Core has sessions of any name, and no longer only one. */
const namedSessionsVersion = [2026, 6, 1] as const
const toUse = 'Use the image devlikeapro/waha:gows-2026.9.2 or a newer one.'

const described = z.object({
  version: z.string().max(40),
  engine: z.string().max(40),
  tier: z.string().max(40).nullish().catch(null),
})
type Described = z.infer<typeof described>
const listed = z.object({ name: z.string() })

/**
 * Reads what a WAHA server is, and makes and deletes a session on it. Throws {@link WahaRefusal} for a server that does
 * not respond, refuses the key, is too old, has another engine than GOWS or NOWEB or makes no session. Of one that was
 * added before (`isKnown`) the version is advice: its numbers are linked there, and its key must be changeable.
 */
export async function inspectServer(
  client: WahaClient,
  address: WahaAddress,
  { isKnown }: { readonly isKnown: boolean },
): Promise<Inspection> {
  const description = await readDescription(client, address)
  const { version } = description
  const engine = requireEngine(description)
  const tooOld = aboutVersion(description)
  if (tooOld !== null && !isKnown) throw new WahaRefusal(tooOld)
  if (hasNamedSessions(description)) await trySession(client, address)
  const advice = await adviceAbout({ version, engine }, () =>
    client.call(address, { method: 'GET', path: '/api/server/environment' }),
  )
  return { version, engine, advice: [...(tooOld === null ? [] : [tooOld]), ...advice] }
}

async function readDescription(client: WahaClient, address: WahaAddress): Promise<Described> {
  try {
    // The version needs no key at some servers; the list of sessions always does.
    const { body } = await client.call(address, { method: 'GET', path: '/api/server/version' })
    await client.call(address, { method: 'GET', path: '/api/sessions?all=true' })
    const parsed = described.safeParse(body)
    if (parsed.success) return parsed.data
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { url } = address
    throw new WahaRefusal(
      isAboutKey(error)
        ? `The WAHA server at ${url} refuses this key. Use its WAHA_API_KEY.`
        : `No WAHA server responds at ${url}. Check the address, and that this machine reaches it.`,
    )
  }
  throw new WahaRefusal('The server does not respond as WAHA does. Check the address.')
}

function requireEngine({ engine }: Described): Engine {
  const known = engines.find((one) => one === engine)
  if (known) return known
  throw new WahaRefusal(
    `This WAHA server lacks the engine GOWS (it has ${engine}): set WHATSAPP_DEFAULT_ENGINE=GOWS. ${toUse}`,
  )
}

function hasNamedSessions({ version, tier }: Described): boolean {
  return tier !== 'CORE' || isAtLeast(version, namedSessionsVersion)
}

/** Returns why the version of a server is too old; null when it is not. */
function aboutVersion(description: Described): string | null {
  const { version } = description
  if (!hasNamedSessions(description)) {
    return (
      `WAHA Core ${version} has one session only, named default; since ${namedSessionsVersion.join('.')} Core has ` +
      `one for each number. ${toUse}`
    )
  }
  if (isAtLeast(version, oldestVersion)) return null
  return (
    `The server lacks version ${oldestVersion.join('.')} or newer (it has ${version}): older ones can stop to report ` +
    `messages. ${toUse}`
  )
}

/** Makes a session of a name as numbers have it, finds it and deletes it. It is never started. */
async function trySession(client: WahaClient, address: WahaAddress): Promise<void> {
  const name = crypto.randomUUID()
  const path = `/api/sessions/${name}`
  try {
    await client.call(address, { method: 'POST', path: '/api/sessions', body: { name, start: false } })
    const { body } = await client.call(address, { method: 'GET', path })
    if (listed.safeParse(body).data?.name !== name) throw new WahaRefusal(cannotKeep(address))
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    throw new WahaRefusal(
      isAboutKey(error)
        ? `The key may not make sessions at ${address.url}. Use its WAHA_API_KEY, not a key of one session.`
        : cannotKeep(address),
    )
  } finally {
    await client.call(address, { method: 'DELETE', path }).catch(() => undefined)
  }
}

function cannotKeep({ url }: WahaAddress): string {
  return `The WAHA server at ${url} made no session for a test. Read its log, and check that it can write its volume.`
}

function isAboutKey({ safeMessage }: GatewayError): boolean {
  return safeMessage.includes('key')
}
