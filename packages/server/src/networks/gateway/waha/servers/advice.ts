import * as z from 'zod'
import type { WahaResponse } from '#networks/gateway/waha/client.ts'
import type { Engine } from '#networks/gateway/waha/host-store.ts'
import { isAtLeast } from './version.ts'

/**
 * A version that was published after September 15, 2026, since when GOWS links phones again. The version of a server
 * does not say when its image was built, and whether an earlier one of that month links was not seen.
 */
const linkingVersion = [2026, 9, 2] as const
/** As long as the network keeps files itself. */
const wantedLifetimeSeconds = 1_209_600
/** What WAHA takes when the variable is not set. */
const unsetLifetimeSeconds = 180

/** The variables of a WAHA server that concern files. The response has its keys as well, which are dropped here. */
const variables = z.object({
  WHATSAPP_FILES_LIFETIME: z.string().optional(),
  WHATSAPP_DOWNLOAD_MEDIA: z.string().optional(),
  WAHA_MEDIA_STORAGE: z.string().optional(),
})
type Variables = z.infer<typeof variables>

/** Returns what the operator of a server should change, in sentences. `readVariables` reads its environment. */
export async function adviceAbout(
  { version, engine }: { readonly version: string; readonly engine: Engine },
  readVariables: () => Promise<WahaResponse>,
): Promise<string[]> {
  const parsed = variables.safeParse((await readVariables().catch(() => null))?.body)
  return [
    ...(engine === 'NOWEB'
      ? [
          'The engine NOWEB is not recommended: it fails when the network moves on to a newer version, misses ' +
            'encrypted edits, reports a send before the network acknowledged it, and links no account that needs a ' +
            'passkey. Set WHATSAPP_DEFAULT_ENGINE=GOWS.',
        ]
      : []),
    ...(engine === 'GOWS' && !isAtLeast(version, linkingVersion)
      ? [
          `GOWS that was built before September 15, 2026 may link no phone. Use WAHA ${linkingVersion.join('.')} or ` +
            'newer.',
        ]
      : []),
    ...(parsed.success ? aboutFiles(parsed.data) : [unseenFiles]),
  ]
}

const unseenFiles =
  'This key does not show how long the server keeps the files that people send. Set WHATSAPP_FILES_LIFETIME=' +
  `${wantedLifetimeSeconds} there.`

function aboutFiles(found: Variables): string[] {
  if (found.WHATSAPP_DOWNLOAD_MEDIA?.toLowerCase() === 'false')
    return ['The server downloads no files that people send. Remove WHATSAPP_DOWNLOAD_MEDIA=false.']
  if ((found.WAHA_MEDIA_STORAGE ?? 'LOCAL').toUpperCase() === 'S3')
    return ['The service reads files from the server itself, not from S3. Set WAHA_MEDIA_STORAGE=LOCAL.']
  const seconds =
    found.WHATSAPP_FILES_LIFETIME === undefined ? unsetLifetimeSeconds : Number(found.WHATSAPP_FILES_LIFETIME)
  // 0 keeps them for good.
  if (seconds === 0 || seconds >= wantedLifetimeSeconds) return []
  return [
    `The server deletes the files that people send after ${seconds} s. Set WHATSAPP_FILES_LIFETIME=` +
      `${wantedLifetimeSeconds}, and mount /app/.media so that they outlast a restart.`,
  ]
}
