import { getCreateIndexesSQL, getCreateTableSQL, getUpdateTimestampTriggerSQL } from '@agendajs/postgres-backend'
import { describe, expect, it } from 'vitest'
import { testDatabase, withEmptyDatabase } from '#testing/database.ts'
import { dumpSchema } from '#testing/schema-dump.ts'
import { tableTypes } from '#testing/table-types.ts'
import { connect } from './db.ts'
import { runSql } from './migrate.ts'

const { db } = await testDatabase()
const schema = await dumpSchema(db)

describe('tables.ts', () => {
  it('has the columns of a migrated database', async () => {
    const note = 'packages/server/src/platform/db/tables.ts differs from the migrated database. Run: npm run generate'
    await expect(await tableTypes(db), note).toMatchFileSnapshot('tables.ts')
  })
})

describe('schema.sql', () => {
  it('is the schema of a migrated database', async () => {
    const note = 'packages/server/src/platform/db/schema.sql differs from the migrated database. Run: npm run generate'
    await expect(`-- Generated from a migrated database by: npm run generate\n\n${schema}`, note).toMatchFileSnapshot(
      'schema.sql',
    )
  })

  it('has a table for the periodic jobs like the one that their library would create', async () => {
    const table = 'agenda_jobs'
    const statements = [getCreateTableSQL(table), ...getCreateIndexesSQL(table), getUpdateTimestampTriggerSQL(table)]
    await withEmptyDatabase(async (url) => {
      const empty = connect(url, { poolMax: 1 })
      await runSql(empty, statements.join(';\n'))
      const theirs = await dumpSchema(empty).finally(() => empty.destroy())
      const blocks = theirs.trimEnd().split('\n\n')
      expect(blocks).toHaveLength(2)
      for (const block of blocks) expect(lines(schema)).toContain(lines(block))
    })
  })
})

/** The text without indentation and in one case: the bodies of functions are kept as they were written. */
function lines(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ')
}
