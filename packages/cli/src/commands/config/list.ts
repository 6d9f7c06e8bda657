import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'

const profileColumns = defineColumns(
  { field: 'current', title: '', show: (value) => (value ? '*' : ' ') },
  'name as Profile, baseUrl as Address, key, email as Signed in as',
)

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
