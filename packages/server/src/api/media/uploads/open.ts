import { Readable } from 'node:stream'
import { formats } from '#api/media/format.ts'
import { notAllowed } from '#api/media/inspect.ts'
import type { MediaFile } from '#api/media/media.ts'
import { cleanName, toFileName, toMimetype } from '#api/media/name.ts'
import { type MediaKind, mediaRules } from '#api/media/rule.ts'
import type { Db } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { findUpload, readPart } from './store.ts'

/** A file to send: the link in the field `field`, or an upload. */
export interface MediaSource {
  readonly organizationId: string
  readonly kind: MediaKind
  readonly field: string
  readonly url: string | undefined
  readonly mediaId: string | undefined
  readonly filename?: string | undefined
  readonly mimetype?: string | undefined
  /** Ends a download when the caller disconnects. */
  readonly signal: AbortSignal
}

const partBytes = 512 * 1024

/** Throws VALIDATION_ERROR when a file is a link to a private or local address. */
export function requirePublicSource({ media }: Services, { field, url }: Pick<MediaSource, 'field' | 'url'>): void {
  if (url !== undefined) media.requirePublic(field, url)
}

/**
 * Calls `use` with a file to send: downloaded from its link, or as it was uploaded. Throws the SEND_FILE codes, and
 * NOT_FOUND for an upload that expired, or that is another organization's.
 */
export async function withMedia<T>(
  services: Services,
  source: MediaSource,
  use: (file: MediaFile) => Promise<T>,
): Promise<T> {
  const { mediaId, url, field: _field, ...link } = source
  if (mediaId !== undefined) return use(await openUpload(services.db, { ...link, mediaId }))
  if (url === undefined) throw new Error('a file to send has neither a link nor an upload')
  return services.media.withFile({ ...link, url }, use)
}

async function openUpload(
  db: Db,
  source: Omit<MediaSource, 'field' | 'url' | 'signal'> & { readonly mediaId: string },
): Promise<MediaFile> {
  const { organizationId, mediaId, kind } = source
  const upload = await findUpload(db, organizationId, mediaId)
  if (!upload) throw apiError('NOT_FOUND', 'There is no such upload, or it has expired. Upload the file again.')
  const rule = mediaRules[kind]
  if (!rule.formats.has(upload.format)) throw notAllowed(rule)
  const format = formats[upload.format]
  const given = source.filename === undefined ? null : cleanName(source.filename)
  return {
    bytes: () => Readable.from(parts(db, organizationId, mediaId), { objectMode: false }),
    sizeBytes: upload.sizeBytes,
    // A voice note is one by the usual type of its format.
    mimetype: kind === 'voice' ? format.mimetype : toMimetype(format, source.mimetype ?? upload.mimetype),
    filename: given === null ? upload.filename : toFileName(format, given),
  }
}

async function* parts(db: Db, organizationId: string, mediaId: string): AsyncGenerator<Buffer, void> {
  for (let from = 0; ; from += partBytes) {
    const part = await readPart(db, organizationId, mediaId, from, partBytes)
    if (part.length > 0) yield part
    if (part.length < partBytes) return
  }
}
