import { operator, recordActivity } from '../activity/log.ts'
import { type Db, liftTimeLimit } from '../db/db.ts'
import { appliedMigrations } from '../db/migrate.ts'
import { closeLanes } from '../messages/lanes/lane-store.ts'
import { reconnectMoved } from '../numbers/move-store.ts'
import { findMoveState, writeMoving } from '../organizations/move-store.ts'
import { Refusal } from '../organizations/refusal.ts'
import { openSecrets } from '../secrets.ts'
import { hasAdded } from './catalogue-store.ts'
import { type EndLine, type ExportHeader, fingerprints, mark, type TableLine } from './file.ts'
import { deleteRows, insertRows } from './row-store.ts'

/** Rows of one statement, and the most characters of them. */
const batch = { rows: 500, characters: 8_000_000 }
const uniqueViolation = '23505'
const foreignKeyViolation = '23503'

/** What an import has stored. */
export interface Imported {
  readonly organizationId: string
  readonly name: string
  readonly rows: number
}

/**
 * Stores an exported organization, in one transaction, and lets the service connect its numbers. Throws {@link Refusal} when
 * it is here already or still runs elsewhere, when schema or SECRETS_KEYS differ, and when the file is incomplete.
 */
export async function importOrganization(
  db: Db,
  lines: AsyncIterable<string>,
  secretsKeys: string | undefined,
): Promise<Imported> {
  const iterator = lines[Symbol.asyncIterator]()
  const header = readHeader((await iterator.next()).value)
  return db
    .transaction(async (trx) => {
      await liftTimeLimit(trx)
      await requireFitting(trx, header, secretsKeys)
      const stored = await load(trx, header.organizationId, iterator)
      await admit(trx, header)
      return { organizationId: header.organizationId, name: header.name, rows: stored }
    })
    .catch((error: unknown) => {
      const { code, detail } = error as { code?: string; detail?: string }
      if (code === uniqueViolation) throw new Refusal(`Another row of this database has the same key: ${detail}`)
      if (code === foreignKeyViolation)
        throw new Refusal(
          `A row needs one that this database lacks: ${detail} Numbers on WAHA servers cannot be moved.`,
        )
      throw error
    })
}

function readHeader(line: string | undefined): ExportHeader {
  const header = line?.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as Partial<ExportHeader>) : {}
  if (header.format !== 1) throw new Refusal('The file is no export of msgctl-server org export.')
  return header as ExportHeader
}

async function requireFitting(trx: Db, header: ExportHeader, secretsKeys: string | undefined): Promise<void> {
  const { organizationId, name, closed, migrations, keys } = header
  if (!closed) {
    throw new Refusal(`${name} was exported while it ran, so both would send. Run msgctl-server org begin-move first.`)
  }
  if (await findMoveState(trx, organizationId)) throw new Refusal(`The organization ${organizationId} is here already.`)
  const here = [...(await appliedMigrations(trx))].sort()
  if (here.join() !== migrations.join()) {
    throw new Refusal('The file has the schema of another version. Bring both installations to the same version first.')
  }
  const own = fingerprints(secretsKeys, openSecrets(secretsKeys))
  const missing = Object.keys(keys).filter((id) => own[id] !== keys[id])
  if (missing.length > 0) {
    throw new Refusal(
      `SECRETS_KEYS lacks the key ${missing.join(', ')} of the other installation. Add it behind your own.`,
    )
  }
}

/** Loads the rows of all tables. Returns how many there were. */
async function load(trx: Db, organizationId: string, lines: AsyncIterator<string>): Promise<number> {
  let table: TableLine | null = null
  let waiting: string[] = []
  let characters = 0
  let stored = 0
  let newPeople: string[] = []
  const flush = async () => {
    if (table && waiting.length > 0) newPeople = [...newPeople, ...(await insertRows(trx, table, waiting, newPeople))]
    stored += waiting.length
    waiting = []
    characters = 0
  }
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const line = next.value
    if (!line.startsWith(mark)) {
      waiting.push(line)
      characters += line.length
      if (waiting.length === batch.rows || characters > batch.characters) await flush()
      continue
    }
    await flush()
    const marked = JSON.parse(line.slice(mark.length)) as TableLine | EndLine
    if ('rows' in marked) {
      if (marked.rows === stored) return stored
      break
    }
    table = marked
    if (table.isDerived && (await hasAdded(trx, table.table))) {
      await deleteRows(trx, organizationId, table.table)
    }
  }
  throw new Refusal('The file is incomplete. Export again.')
}

/** Lets the organization work here: its calls, its queues, and its numbers, which the supervisor connects. */
async function admit(trx: Db, { organizationId }: ExportHeader): Promise<void> {
  await writeMoving(trx, organizationId, false)
  await closeLanes(trx, organizationId)
  await reconnectMoved(trx, organizationId)
  await recordActivity(trx, { organizationId, actor: operator, action: 'organization.imported' })
}
