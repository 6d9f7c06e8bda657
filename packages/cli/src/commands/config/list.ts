import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { verb } from '../../program.ts'

const profileColumns: readonly Column[] = [
  { field: 'current', title: '', show: (value) => (value ? '*' : ' ') },
  { field: 'name', title: 'Profile' },
  { field: 'baseUrl', title: 'Address' },
  { field: 'key', title: 'Key' },
  { field: 'email', title: 'Signed in as' },
]

async function list(context: Context): Promise<void> {
  const { profiles, current } = context.config
  const rows = Object.entries(profiles).map(([name, { baseUrl, apiKey, email }]) => ({
    current: name === current,
    name,
    baseUrl,
    key: apiKey === undefined ? null : preview(apiKey),
    email: email ?? null,
  }))
  await context.print.list(rows, profileColumns)
  if (rows.length === 0) context.note('No profiles are stored. Create one with: msgctl login')
}

/** Returns the beginning of a key, as the service shows it. */
function preview(key: string): string {
  return `${key.slice(0, 10)}...`
}

/** `config list`. */
export const listVerb = verb('list', 'list the stored profiles', list, ['msgctl config list'])
