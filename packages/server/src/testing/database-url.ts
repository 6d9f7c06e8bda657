/** The migrated database that every test database is a copy of. */
export const templateDatabase = 'template_migrated'

/** The URL of another database of the same cluster. */
export function databaseUrl(clusterUrl: string, database: string): string {
  const url = new URL(clusterUrl)
  url.pathname = `/${database}`
  return url.href
}
