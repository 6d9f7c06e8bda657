import { connect, rows } from './db.ts'
import { usualSettings } from './session.ts'

interface Found {
  readonly role: string
  readonly database: string
  readonly values: Readonly<Record<string, string>>
}

/**
 * Returns the statements that give the role of `url` the settings of our sessions, without those that are set. Sessions
 * that a pooler shares keep nothing that one connection sets.
 */
export async function missingSharedSettings(url: string): Promise<string[]> {
  const db = connect(url, { poolMax: 1, prepared: false })
  try {
    const names = Object.keys(usualSettings)
    const [found] = await rows<Found>(
      db,
      `select quote_ident(current_user) as role, quote_ident(current_database()) as database,
              (select jsonb_object_agg(lower(name), setting) from pg_settings where lower(name) = any(:names)) as
                values`,
      { names },
    )
    if (!found) throw new Error('the database returned no settings')
    const { role, database, values } = found
    return Object.entries(usualSettings)
      .filter(([name, value]) => values[name] !== String(value))
      .map(([name, value]) => `alter role ${role} in database ${database} set ${name} = '${value}';`)
  } finally {
    await db.destroy()
  }
}
