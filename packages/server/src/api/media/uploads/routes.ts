import { createHash } from 'node:crypto'
import { type Contract, limits } from '@msgctl/contract'
import type { Handlers, Request } from '#api/http/handler.ts'
import type { Format } from '#api/media/format.ts'
import { type Claims, inspect } from '#api/media/inspect.ts'
import { cleanName, toFileName, toMimetype } from '#api/media/name.ts'
import { headBytes } from '#api/media/recognize.ts'
import { mediaRules } from '#api/media/rule.ts'
import { yielding } from '#platform/concurrency/yielding.ts'
import { transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { countStoredBytes, insertUpload, lockUploads, type NewUpload, renewUpload } from './store.ts'

export const mediaHandlers = {
  upload: uploadMedia,
} satisfies Handlers<Contract['media']>

/**
 * Stores a file for a day. The same file under the same name keeps its id, so that a send that is repeated from the
 * start is the same request. Throws SEND_FILE_TYPE_NOT_ALLOWED, and FORBIDDEN_ACTION quota_reached.
 */
async function uploadMedia(request: Request<Contract['media']['upload']>, { db }: Services) {
  const { caller, file, body } = request
  const { organizationId } = caller
  const given = cleanName(body.filename ?? '') ?? ''
  const { format, sha256 } = await readFile(file, { name: given, contentType: body.mimetype ?? '' })
  const upload: NewUpload = {
    id: newId(),
    organizationId,
    sha256,
    format: format.name,
    filename: toFileName(format, given),
    mimetype: toMimetype(format, body.mimetype),
    sizeBytes: file.length,
    bytes: file,
  }
  const stored = await transaction(db, async (trx) => {
    await lockUploads(trx, organizationId)
    const renewed = await renewUpload(trx, upload)
    if (renewed) return renewed
    requireCapacity(await countStoredBytes(trx, organizationId), file.length)
    return insertUpload(trx, upload)
  })
  const { id: mediaId, filename, mimetype, sizeBytes } = stored
  return { mediaId, expiresAt: stored.expiresAt.toISOString(), filename, mimetype, sizeBytes }
}

/** Recognizes and hashes a file in slices, so that other requests run in between. */
async function readFile(bytes: Buffer, claims: Claims): Promise<{ readonly format: Format; readonly sha256: Buffer }> {
  const inspector = inspect(claims, mediaRules.file)
  const hash = createHash('sha256')
  const pause = yielding()
  for (let from = 0; from < bytes.length; from += headBytes) {
    const slice = bytes.subarray(from, from + headBytes)
    inspector.see(slice)
    hash.update(slice)
    await pause()
  }
  return { format: inspector.end().format, sha256: hash.digest() }
}

function requireCapacity(used: number, requested: number): void {
  const limit = limits.media.storedBytes
  if (used + requested <= limit) return
  const mib = limit / 1024 ** 2
  throw apiError(
    'FORBIDDEN_ACTION',
    `An organization stores at most ${mib} MiB of uploads. Uploads expire after a day; send a public link until then.`,
    { reason: 'quota_reached', limit, used, requested },
  )
}
