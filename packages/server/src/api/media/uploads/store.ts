import { limits } from '@msgctl/contract'
import type { FormatName } from '#api/media/format.ts'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** An uploaded file without its bytes. */
export interface UploadRow extends Pick<Row<'uploads'>, 'id' | 'filename' | 'mimetype' | 'sizeBytes' | 'expiresAt'> {
  readonly format: FormatName
}

/** A file to store. */
export interface NewUpload extends Omit<UploadRow, 'expiresAt'> {
  readonly organizationId: string
  readonly sha256: Buffer
  readonly bytes: Buffer
}

const columns = `id, format, filename, mimetype, size_bytes, expires_at`

/** Serializes the uploads of one organization until the transaction ends. */
export async function lockUploads(trx: Db, organizationId: string): Promise<void> {
  await rows(trx, `select pg_advisory_xact_lock(hashtextextended('uploads ' || :organizationId::text, 0))`, {
    organizationId,
  })
}

/** Returns the bytes that an organization has stored and that have not expired. */
export async function countStoredBytes(trx: Db, organizationId: string): Promise<number> {
  const [found] = await rows<{ bytes: number }>(
    trx,
    `select coalesce(sum(size_bytes), 0) as bytes from uploads
      where organization_id = :organizationId and expires_at > (select service_now())`,
    { organizationId },
  )
  return found?.bytes ?? 0
}

const expiry = `(select service_now()) + ${limits.media.keptSeconds} * interval '1 s'`

/** Extends the time of a file that is stored already. Returns undefined when it is not. */
export async function renewUpload(trx: Db, upload: NewUpload): Promise<UploadRow | undefined> {
  const { organizationId, sha256, filename, mimetype } = upload
  return firstRow<UploadRow>(
    trx,
    `update uploads set expires_at = ${expiry}
      where organization_id = :organizationId and sha256 = :sha256 and filename = :filename and mimetype = :mimetype
     returning ${columns}`,
    { organizationId, sha256, filename, mimetype },
  )
}

/** Stores a file. */
export async function insertUpload(trx: Db, upload: NewUpload): Promise<UploadRow> {
  const stored = await firstRow<UploadRow>(
    trx,
    `insert into uploads (id, organization_id, sha256, format, filename, mimetype, size_bytes, bytes, expires_at)
     values (:id, :organizationId, :sha256, :format, :filename, :mimetype, :sizeBytes, :bytes, ${expiry})
     returning ${columns}`,
    { ...upload },
  )
  if (!stored) throw new Error('storing an upload returned no row')
  return stored
}

/** Returns a file of an organization that has not expired. */
export async function findUpload(db: Db, organizationId: string, id: string): Promise<UploadRow | undefined> {
  return firstRow<UploadRow>(
    db,
    `select ${columns} from uploads
      where organization_id = :organizationId and id = :id and expires_at > (select service_now())`,
    { organizationId, id },
  )
}

/** Returns some bytes of a file; none after its end, or when it was deleted. */
export async function readPart(
  db: Db,
  organizationId: string,
  id: string,
  from: number,
  length: number,
): Promise<Buffer> {
  const [found] = await rows<{ part: Buffer }>(
    db,
    `select substring(bytes from :start for :length) as part from uploads
      where organization_id = :organizationId and id = :id`,
    { organizationId, id, start: from + 1, length },
  )
  return found?.part ?? Buffer.alloc(0)
}

/** A send that has found a file reads it for as long. */
const graceSeconds = 600

/** Deletes up to `limit` files that expired ten minutes ago or earlier. Returns how many there were. */
export async function deleteExpiredUploads(db: Db, limit = 100): Promise<number> {
  const deleted = await rows(
    db,
    `delete from uploads where id in (
       select id from uploads where expires_at < (select service_now()) - ${graceSeconds} * interval '1 s'
        order by expires_at limit :limit)
     returning id`,
    { limit },
  )
  return deleted.length
}
