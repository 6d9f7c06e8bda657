import { openSecrets } from '@msgctl/network/secrets'
import type { Db } from '#platform/db/db.ts'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import type { TestServer } from '#testing/start-server.ts'
import { closeMoving } from '#upkeep/move/close-numbers.ts'
import { exportOrganization, listMoved } from '#upkeep/move/export.ts'
import { beginMove } from '#upkeep/move/move.ts'
import { openFile, sealFile } from '#upkeep/move/seal.ts'

/** Closes an organization for its move. Closes its numbers at their networks too, which a worker would do. */
export async function closeForMove({ db, services }: TestServer, organizationId: string): Promise<void> {
  const closed = beginMove(db, organizationId, { drainSeconds: 0, timeoutSeconds: 20 })
  await eventually(
    async () => {
      await closeMoving(services)
      return rows(db, 'select 1 as one from organizations where id = :organizationId and closed_at is not null', {
        organizationId,
      })
    },
    (found) => found.length === 1,
  )
  await closed
}

/** Exports an organization. Returns the bytes of its file. */
export async function exportedFile(db: Db, organizationId: string, keys: string): Promise<Buffer> {
  const parts: Uint8Array[] = []
  await exportOrganization(db, organizationId, keys, async (bytes) => void parts.push(bytes))
  return Buffer.concat(parts)
}

/** Returns the lines of a sealed file. */
export async function linesIn(file: Buffer, keys: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of openFile(openSecrets(keys), asStream(file)).lines) lines.push(line)
  return lines
}

/** Seals lines as an export does, whatever they say. */
export async function sealLines(lines: readonly string[], keys: string): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const seal = await sealFile(openSecrets(keys), async (bytes) => void parts.push(bytes))
  await seal.write(lines.map((line) => `${line}\n`).join(''))
  await seal.end()
  return Buffer.concat(parts)
}

/** Returns the file as an import reads it, in parts of an odd size. */
export async function* asStream(file: Buffer, partBytes = 10_007): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < file.length; from += partBytes) yield file.subarray(from, from + partBytes)
}

/** A table of an export with its rows. */
export interface ExportedTable {
  readonly table: string
  readonly rows: readonly string[]
}

/** Returns the tables of an export with their rows, in its order. `db` is a database with the same schema. */
export async function tablesIn(db: Db, lines: readonly string[]): Promise<ExportedTable[]> {
  const tables: { table: string; rows: string[] }[] = []
  const names = (await listMoved(db)).map(({ table }) => table)
  for (const line of lines.slice(1, -1)) {
    if (line.startsWith('#')) tables.push({ table: names[tables.length] ?? '', rows: [] })
    else tables.at(-1)?.rows.push(line)
  }
  return tables
}

/** Returns the lines of an export with this header and these tables. */
export function linesOf(header: string, tables: readonly ExportedTable[]): string[] {
  const count = tables.reduce((sum, { rows: some }) => sum + some.length, 0)
  return [header, ...tables.flatMap(({ rows: some }, table) => [`#${table}`, ...some]), `#=${count}`]
}
