import { openSecrets } from '@msgctl/network/secrets'
import { changeOrganization, noSuchOrganization } from '#people/organizations/change.ts'
import { findMoveState, type MoveState, writeExported } from '#people/organizations/move-store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import { type Db, liftTimeLimit } from '#platform/db/db.ts'
import { appliedMigrations } from '#platform/db/migrate.ts'
import { readErasable } from '#upkeep/erasure/catalogue-store.ts'
import { readMovable } from './catalogue-store.ts'
import { fingerprints, formatEnd, formatHeader, formatTable, schemaFingerprint } from './file.ts'
import { type MovedTable, planMove } from './plan.ts'
import { readRows } from './row-store.ts'
import { sealFile } from './seal.ts'

/** Rows that are read at once: uploads have up to 16 MB each. */
const batch = 100

/** What an export holds. */
export interface Exported {
  readonly organizationId: string
  readonly name: string
  readonly tables: number
  readonly rows: number
  /** The SHA-256 of the file as hex. */
  readonly digest: string
}

/** Returns the tables with rows of organizations, in the order of an export. */
export async function listMoved(db: Db): Promise<MovedTable[]> {
  return planMove(await readMovable(db), await readErasable(db))
}

/**
 * Writes all rows of a closed organization, as they are at one moment, sealed with SECRETS_KEYS: a header, and the rows
 * of each table as JSON. Keeps the digest of the file, for the receipt that ends the move. Throws {@link Refusal} for
 * an organization that does not exist, is not closed or has moved away, and without SECRETS_KEYS.
 */
export async function exportOrganization(
  db: Db,
  organizationId: string,
  secretsKeys: string | undefined,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<Exported> {
  const secrets = openSecrets(secretsKeys)
  const seal = await sealFile(secrets, write)
  const keys = fingerprints(secretsKeys, secrets)
  const written = await db.transaction(
    async (trx) => {
      await liftTimeLimit(trx)
      const { name } = await requireClosed(trx, organizationId)
      const migrations = [...(await appliedMigrations(trx))].sort()
      const tables = await listMoved(trx)
      const schema = schemaFingerprint(tables)
      await seal.write(formatHeader({ format: 2, organizationId, migrations, schema, keys }))
      let written = 0
      for (const [position, table] of tables.entries()) {
        await seal.write(formatTable(position))
        for await (const some of readRows(trx, organizationId, table, batch)) {
          await seal.write(`${some.join('\n')}\n`)
          written += some.length
        }
      }
      await seal.write(formatEnd(written))
      return { organizationId, name, tables: tables.length, rows: written }
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  )
  const digest = await seal.end()
  await changeOrganization(db, organizationId, async (trx) => {
    // Opened again since then, it may have changed: this file cannot end a move.
    await requireClosed(trx, organizationId)
    await writeExported(trx, organizationId, digest)
    return { action: 'organization.exported', details: { rows: written.rows, digest }, result: undefined }
  })
  return { ...written, digest }
}

async function requireClosed(trx: Db, organizationId: string): Promise<MoveState> {
  const state = await findMoveState(trx, organizationId)
  if (!state) throw noSuchOrganization(organizationId)
  if (state.movedTo !== null) throw new Refusal(`The organization has moved to ${state.movedTo}.`)
  if (state.closedAt === null) {
    throw new Refusal(
      `${state.name} runs here, so both would send. Run msgctl-server org begin-move first. To give an ` +
        'organization its data, use org data.',
    )
  }
  return state
}
