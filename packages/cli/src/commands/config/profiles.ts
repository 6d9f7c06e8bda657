import { type ConfigFile, updateConfig } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'

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

async function use(context: Context, name: string): Promise<void> {
  const profile = context.config.profiles[name]
  if (profile === undefined) {
    const names = Object.keys(context.config.profiles).join(', ') || 'none'
    throw usageFailure(`Profile ${name} does not exist.`, `Profiles: ${names}.`)
  }
  const record = { profile: name, baseUrl: profile.baseUrl }
  if (context.options.dryRun) return context.done({ dryRun: true, ...record }, `Would use the profile ${name}.`)
  updateConfig(context.host, (config: ConfigFile) => ({ ...config, current: name }))
  await context.done(record, `Using profile ${name}: ${profile.baseUrl}`)
}

/** `config list|use`. */
export const profileVerbs = verbs(
  verb('list', 'list the stored profiles', list, ['msgctl config list']),
  verb('use <profile>', 'select the current profile', use, ['msgctl config use live']),
)
