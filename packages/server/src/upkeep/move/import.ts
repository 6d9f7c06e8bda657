import { openSecrets } from '@msgctl/network/secrets'
import { operator, recordActivity } from '#api/activity/log.ts'
import { closeLanes } from '#numbers/lanes/lane-store.ts'
import { reconnectMoved } from '#numbers/move-store.ts'
import { findMoveState, writeImported, writeMoving } from '#people/organizations/move-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import { type Db, liftTimeLimit } from '#platform/db/db.ts'
import { appliedMigrations } from '#platform/db/migrate.ts'
import { listMoved } from './export.ts'
import { type ExportHeader, fingerprints, parseHeader, schemaFingerprint } from './file.ts'
import { foreignFile, loadTables } from './load.ts'
import type { MovedTable } from './plan.ts'
import { formatReceipt } from './receipt.ts'
import { openFile } from './seal.ts'

const uniqueViolation = '23505'
const foreignKeyViolation = '23503'

/** What an import has stored. */
export interface Imported {
  readonly organizationId: string
  readonly name: string
  readonly rows: number
  /** What ends the move in the other installation. */
  readonly receipt: string
}

/**
 * Stores an exported organization, in one transaction, and lets the service connect its numbers. Throws {@link Refusal}
 * when it is here already, when schema or SECRETS_KEYS differ, when the file is incomplete or was changed, and when it
 * holds anything but rows of this organization in the tables and columns of this database.
 */
export async function importOrganization(
  db: Db,
  bytes: AsyncIterable<Uint8Array>,
  secretsKeys: string | undefined,
): Promise<Imported> {
  const secrets = openSecrets(secretsKeys)
  const { lines, facts } = openFile(secrets, bytes)
  const header = parseHeader((await lines.next()).value ?? '')
  if (!header) throw new Refusal('The file is no export of this version of msgctl-server org export.')
  const { organizationId } = header
  return db
    .transaction(async (trx) => {
      await liftTimeLimit(trx)
      const tables = await listMoved(trx)
      await requireFitting(trx, header, tables, fingerprints(secretsKeys, secrets))
      const rows = await loadTables(trx, organizationId, tables, lines)
      const state = await findMoveState(trx, organizationId)
      if (!state) throw new Refusal('The file holds no organization.')
      const { keyId, digest } = facts()
      const receipt = formatReceipt(secrets, keyId, { organizationId, digest, rows, at: state.now })
      await admit(trx, organizationId, receipt)
      return { organizationId, name: state.name, rows, receipt }
    })
    .catch((error: unknown) => {
      throw explained(error)
    })
}

async function requireFitting(
  trx: Db,
  { organizationId, migrations, schema, keys }: ExportHeader,
  tables: readonly MovedTable[],
  own: Readonly<Record<string, string>>,
): Promise<void> {
  const state = await findMoveState(trx, organizationId)
  if (state) {
    const imported = state.importReceipt === null ? '' : ` It was imported with the receipt ${state.importReceipt}`
    throw new Refusal(`The organization ${organizationId} is here already.${imported}`)
  }
  const here = [...(await appliedMigrations(trx))].sort()
  if (here.join() !== migrations.join() || schema !== schemaFingerprint(tables)) {
    throw new Refusal('The file has the schema of another version. Bring both installations to the same version first.')
  }
  const missing = Object.keys(keys).filter((id) => own[id] !== keys[id])
  if (missing.length > 0) {
    throw new Refusal(
      `SECRETS_KEYS lacks the key ${missing.join(', ')} of the other installation. Add it behind your own.`,
    )
  }
}

/** Returns what the database refused as a sentence for the operator, and any other error as it is. */
function explained(error: unknown): unknown {
  const { code = '', detail, message } = error as { code?: string; detail?: string; message?: string }
  if (code === uniqueViolation) return new Refusal(`Another row of this database has the same key: ${detail}`)
  if (code === foreignKeyViolation) {
    return new Refusal(
      `A row needs one that this database lacks: ${detail} Numbers on WAHA servers cannot be moved; link them ` +
        'again there.',
    )
  }
  if (/^2[23]/.test(code)) return foreignFile(`a row that this database does not take: ${message?.split(' - ').at(-1)}`)
  return error
}

/** Lets the organization work here: its calls, its queues, and its numbers, which the supervisor connects. */
async function admit(trx: Db, organizationId: string, receipt: string): Promise<void> {
  await writeMoving(trx, organizationId, false)
  await writeImported(trx, organizationId, receipt)
  await closeLanes(trx, organizationId)
  await reconnectMoved(trx, organizationId)
  await recordActivity(trx, { organizationId, actor: operator, action: 'organization.imported' })
}
