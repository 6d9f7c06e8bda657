import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { openPublicFetch, type PublicFetch } from '@msgctl/network/public-address/fetch'
import { judgeUrl } from '@msgctl/network/public-address/url'
import { startTimeLimit } from '@msgctl/network/timeout'
import { apiError, invalidField } from '#platform/errors.ts'
import type { Log } from '#platform/log/log-events.ts'
import { download } from './download.ts'
import { type DownloadSlot, type DownloadSlotOptions, downloadSlots, NoDownloadSlot } from './download-slots.ts'
import { cleanName, toFileName, toMimetype } from './name.ts'
import { type MediaKind, mediaRules } from './rule.ts'
import { removeAbandonedFiles, withTemporaryFile } from './temporary-files.ts'

/** A link to a file that a caller wants sent. */
export interface MediaLink {
  readonly organizationId: string
  readonly kind: MediaKind
  readonly url: string
  readonly filename?: string | undefined
  readonly mimetype?: string | undefined
  /** Ends the download when the caller disconnects. */
  readonly signal: AbortSignal
}

/** The file behind a link, as it is passed to the network. */
export interface MediaFile {
  /** Opens it from its beginning. */
  bytes(): Readable
  readonly sizeBytes: number
  readonly mimetype: string
  readonly filename: string
}

/** Downloads files from links that callers give. */
export interface Media {
  /** Throws VALIDATION_ERROR invalid_url about `field` when the address itself is private or local. */
  requirePublic(field: string, url: string): void
  /**
   * Downloads the file, calls `use` with it, and removes it however `use` ends. Throws SEND_FILE_TOO_LARGE,
   * SEND_FILE_TYPE_NOT_ALLOWED, SEND_FILE_URL_UNREACHABLE, and SERVICE_BUSY when too many download already.
   */
  withFile<T>(link: MediaLink, use: (file: MediaFile) => Promise<T>): Promise<T>
  /** Ends every download. */
  close(): Promise<void>
}

/** Settings for tests. */
export interface MediaOptions {
  readonly fetch?: PublicFetch
  readonly deadlineMs?: number
  readonly downloadSlots?: DownloadSlotOptions
  readonly folder?: string
}

/** The time limit for all of it: name resolution, connection, redirects and the last byte. */
const downloadDeadlineMs = 20_000
/** A slot is held until the file is removed, so this bounds the disk as well: 24 files of 100 MiB. */
const defaultDownloadSlots: DownloadSlotOptions = {
  limit: 12,
  perKey: 4,
  maxQueued: 200,
  waitMs: 5000,
  slow: { limit: 12, afterMs: 3000 },
}
const busySeconds = 5

/** Creates the downloader, and removes temporary files of earlier processes. */
export async function openMedia(
  settings: { readonly allowPrivateTargets: readonly string[]; readonly serviceName: string; readonly log: Log },
  options: MediaOptions = {},
): Promise<Media> {
  const { allowPrivateTargets, serviceName, log } = settings
  const fetch = options.fetch ?? openPublicFetch(allowPrivateTargets)
  const deadlineMs = options.deadlineMs ?? downloadDeadlineMs
  const downloads = downloadSlots(options.downloadSlots ?? defaultDownloadSlots)
  await sweep(log, options.folder)

  async function downloaded(link: MediaLink, given: string | null, file: string, slot: DownloadSlot) {
    const rule = mediaRules[link.kind]
    const { signal, end } = startTimeLimit(deadlineMs, link.signal, slot.signal)
    try {
      return await download(
        { url: link.url, name: given, rule, file, deadlineMs, userAgent: `${serviceName}/1.0`, signal },
        { fetch, log },
      )
    } catch (error) {
      // Another organization's download needed the slot: that is why this one failed.
      slot.signal.throwIfAborted()
      throw error
    } finally {
      end()
    }
  }

  async function fetched<T>(link: MediaLink, file: string, slot: DownloadSlot, use: (file: MediaFile) => Promise<T>) {
    const given = link.filename === undefined ? null : cleanName(link.filename)
    const { format, name, sizeBytes } = await downloaded(link, given, file, slot)
    // A message that is on its way to the network is never cut off.
    slot.keep()
    return use({
      bytes: () => createReadStream(file),
      sizeBytes,
      mimetype: toMimetype(format, link.mimetype),
      filename: toFileName(format, name),
    })
  }

  return {
    requirePublic(field, url) {
      const { refusal } = judgeUrl(url, allowPrivateTargets)
      if (refusal !== undefined) throw invalidField(field, refusal, 'invalid_url')
    },
    async withFile(link, use) {
      try {
        return await downloads.run(link.organizationId, (slot) =>
          withTemporaryFile((file) => fetched(link, file, slot, use), options.folder),
        )
      } catch (error) {
        if (!(error instanceof NoDownloadSlot)) throw error
        throw apiError('SERVICE_BUSY', `Too many files are being fetched. Try again in ${busySeconds} s.`, {
          retryAfterSeconds: busySeconds,
          outcome: 'not_sent',
        })
      }
    },
    close: () => fetch.close(),
  }
}

/** Removes files of earlier processes. A failure is logged and does not prevent the start. */
async function sweep(log: Log, folder: string | undefined): Promise<void> {
  try {
    const abandoned = await removeAbandonedFiles(folder)
    if (abandoned > 0)
      log.info({ event: 'temporary_files_removed', files: abandoned }, 'removed temporary files of earlier processes')
  } catch (error) {
    log.warn({ event: 'temporary_files_failed', err: error }, 'failed to remove temporary files')
  }
}
