import { inject } from 'vitest'
import { connect, type Db, rows } from '#platform/db/db.ts'
import { recordIdentity } from '#platform/db/identity.ts'
import { cleanUpAfterFile } from './cleanup.ts'
import { databaseUrl, templateDatabase } from './database-url.ts'

/** A migrated database of this test file alone. */
export interface TestDatabase {
  db: Db
  url: string
}

const objectInUse = '55006'

/**
 * Clones the migrated template for the calling test file, in about 20 ms; call it at the top of the file:
 * `const { db } = await testDatabase()`. After all tests of the file its pool is closed and the database dropped. The
 * file fails if a connection is still open then: that of a pool, a listener or a process that a test started and did
 * not end.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const clusterUrl = inject('pgUrl')
  const name = `t_${crypto.randomUUID().replaceAll('-', '')}`
  await maintain(clusterUrl, (admin) =>
    admin.raw(`create database ${name} template ${templateDatabase} strategy file_copy`),
  )
  const url = databaseUrl(clusterUrl, name)
  const db = connect(url, { applicationName: 'testDatabase' })
  // A clone is a copy of another database, which a service refuses.
  await recordIdentity(db)
  cleanUpAfterFile(async () => {
    await db.destroy()
    await maintain(clusterUrl, (admin) => drop(admin, name))
  })
  return { db, url }
}

/**
 * Copies a database for the calling test file, as a backup that was restored elsewhere: the operator has not answered
 * yet. Ends the connections to the original, whose pools open new ones.
 */
export async function restoredCopy(original: string): Promise<TestDatabase> {
  const clusterUrl = inject('pgUrl')
  const source = new URL(original).pathname.slice(1)
  const name = `r_${crypto.randomUUID().replaceAll('-', '')}`
  await maintain(clusterUrl, async (admin) => {
    await rows(admin, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = :source', { source })
    await admin.raw(`create database ${name} template ${source} strategy file_copy`)
  })
  const url = databaseUrl(clusterUrl, name)
  const db = connect(url, { applicationName: 'restoredCopy' })
  cleanUpAfterFile(async () => {
    await db.destroy()
    await maintain(clusterUrl, (admin) => drop(admin, name))
  })
  return { db, url }
}

/** Runs `work` with the URL of an empty database, which is dropped afterwards. */
export async function withEmptyDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const clusterUrl = inject('pgUrl')
  const name = `m_${crypto.randomUUID().replaceAll('-', '')}`
  await maintain(clusterUrl, (admin) => admin.raw(`create database ${name}`))
  await work(databaseUrl(clusterUrl, name)).finally(() => maintain(clusterUrl, (admin) => drop(admin, name)))
}

/** Postgres itself waits up to 5 s for connections that are just being closed. */
async function drop(admin: Db, name: string): Promise<void> {
  try {
    await admin.raw(`drop database ${name}`)
  } catch (error) {
    if ((error as { code?: string }).code !== objectInUse) throw error
    const left = await rows<{ who: string }>(
      admin,
      `select application_name || ', last statement: ' || left(query, 100) as who from pg_stat_activity
        where datname = :name`,
      { name },
    )
    await admin.raw(`drop database if exists ${name} with (force)`)
    throw new Error(`database connections were left open: ${left.map(({ who }) => who).join('; ')}`)
  }
}

async function maintain(url: string, work: (admin: Db) => Promise<unknown>): Promise<void> {
  const admin = connect(url, { poolMax: 1 })
  await work(admin).finally(() => admin.destroy())
}
