import type { Command } from 'commander'
import { type ConfigFile, configPath, type Settings, updateConfig } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { explain } from '../../errors/explain-config.ts'
import { wholeFrom } from '../../input/duration.ts'
import type { Column } from '../../output/columns.ts'
import { outputFormats } from '../../output/print.ts'
import { addVerb, type Run } from '../../program.ts'

const longestTimeoutSeconds = 600

/** What can be set, and how a typed value becomes a stored one. */
const settings: Readonly<Record<keyof Settings, (text: string) => string | number>> = {
  output(text) {
    const format = outputFormats.find((each) => each === text)
    if (format === undefined) throw usageFailure(`output is one of ${outputFormats.join(', ')}.`)
    return format
  },
  timeout: (text) => wholeFrom(text, 'timeout, in seconds,', 1, longestTimeoutSeconds),
}
const settingNames = Object.keys(settings) as (keyof Settings)[]

const profileColumns: readonly Column[] = [
  { field: 'current', title: '', show: (value) => (value ? '*' : ' ') },
  { field: 'name', title: 'Profile' },
  { field: 'baseUrl', title: 'Address' },
  { field: 'key', title: 'Key' },
  { field: 'email', title: 'Signed in as' },
]

const explainColumns: readonly Column[] = [
  { field: 'what', title: 'What' },
  { field: 'value', title: 'Value' },
  { field: 'from', title: 'From' },
]

function settingNamed(name: string): keyof Settings {
  const found = settingNames.find((each) => each === name)
  if (found) return found
  throw usageFailure(`There is no setting ${name}.`, `There are: ${settingNames.join(', ')}.`)
}

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
  if (rows.length === 0) context.note('No profiles yet: msgctl login stores one.')
}

/** Enough of a key to tell it from another, as the service shows it. */
function preview(key: string): string {
  return `${key.slice(0, 10)}...`
}

async function get(context: Context, name: string): Promise<void> {
  const value = context.config.settings[settingNamed(name)]
  if (value !== undefined) return context.print.text(`${value}\n`, { setting: name, value })
  throw new CliError(`${name} is not set.`, {
    code: 'NOT_SET',
    exitCode: exitCodes.notFound,
    advice: `Set it with msgctl config set ${name} VALUE`,
  })
}

async function set(context: Context, name: string, text: string): Promise<void> {
  const setting = settingNamed(name)
  const value = settings[setting](text)
  if (context.options.dryRun) return context.done({ dryRun: true, setting, value }, `Would set ${setting} to ${value}.`)
  updateConfig(context.host, (config) => ({ ...config, settings: { ...config.settings, [setting]: value } }))
  await context.done({ setting, value }, `${setting} is ${value} now.`)
}

async function unset(context: Context, name: string): Promise<void> {
  const setting = settingNamed(name)
  const record = { setting, value: null }
  if (context.options.dryRun) return context.done({ dryRun: true, ...record }, `Would unset ${setting}.`)
  updateConfig(context.host, (config) => ({ ...config, settings: { ...config.settings, [setting]: undefined } }))
  await context.done(record, `${setting} has its default again.`)
}

async function use(context: Context, name: string): Promise<void> {
  const profile = context.config.profiles[name]
  if (profile === undefined) {
    const names = Object.keys(context.config.profiles).join(', ') || 'none yet'
    throw usageFailure(`There is no profile ${name}.`, `There are: ${names}.`)
  }
  const record = { profile: name, baseUrl: profile.baseUrl }
  if (context.options.dryRun) return context.done({ dryRun: true, ...record }, `Would use the profile ${name}.`)
  updateConfig(context.host, (config: ConfigFile) => ({ ...config, current: name }))
  await context.done(record, `The current profile is ${name}: ${profile.baseUrl}`)
}

async function path(context: Context): Promise<void> {
  const path = configPath(context.host)
  await context.print.text(`${path}\n`, { path })
}

async function explainSources(context: Context): Promise<void> {
  await context.print.list(explain(context), explainColumns)
}

export function register(config: Command, run: Run): void {
  addVerb(config, 'list', 'list the stored profiles', 'msgctl config list').action(run(list))
  addVerb(config, 'use <profile>', 'make a profile the current one', 'msgctl config use live').action(run(use))
  addVerb(
    config,
    'explain',
    'say which address and key are used, and where they come from',
    'msgctl config explain',
    'msgctl config explain --base-url https://example.com/api/v1 --json',
  ).action(run(explainSources))
  addVerb(config, 'get <setting>', `show a setting: ${settingNames.join(', ')}`, 'msgctl config get output').action(
    run(get),
  )
  addVerb(
    config,
    'set <setting> <value>',
    `change a setting: ${settingNames.join(', ')} (seconds)`,
    'msgctl config set output json',
    'msgctl config set timeout 60',
  ).action(run(set))
  addVerb(config, 'unset <setting>', 'go back to the default', 'msgctl config unset output').action(run(unset))
  addVerb(config, 'path', 'show where all this is stored', 'msgctl config path').action(run(path))
}
