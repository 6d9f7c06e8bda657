import { configPath, updateConfig } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { verb, verbs } from '../../program.ts'
import { settingNamed, settingNames, settings } from './settings.ts'

async function get(context: Context, name: string): Promise<void> {
  const value = context.config.settings[settingNamed(name)]
  if (value !== undefined) return context.print.text(`${value}\n`, { setting: name, value })
  throw new CliError(`${name} is not set.`, {
    code: 'NOT_SET',
    exitCode: exitCodes.notFound,
    advice: `Set it with: msgctl config set ${name} VALUE`,
  })
}

async function set(context: Context, name: string, text: string): Promise<void> {
  const setting = settingNamed(name)
  const value = settings[setting](text)
  if (context.options.dryRun) return context.done({ dryRun: true, setting, value }, `Would set ${setting} to ${value}.`)
  updateConfig(context.host, (config) => ({ ...config, settings: { ...config.settings, [setting]: value } }))
  await context.done({ setting, value }, `Set ${setting} to ${value}.`)
}

async function unset(context: Context, name: string): Promise<void> {
  const setting = settingNamed(name)
  const record = { setting, value: null }
  if (context.options.dryRun) return context.done({ dryRun: true, ...record }, `Would unset ${setting}.`)
  updateConfig(context.host, (config) => ({ ...config, settings: { ...config.settings, [setting]: undefined } }))
  await context.done(record, `Reset ${setting} to its default.`)
}

async function path(context: Context): Promise<void> {
  const path = configPath(context.host)
  await context.print.text(`${path}\n`, { path })
}

/** `config get|set|unset|path`. */
export const valueVerbs = verbs(
  verb('get <setting>', `show a setting: ${settingNames.join(', ')}`, get, ['msgctl config get output']),
  verb('set <setting> <value>', `change a setting: ${settingNames.join(', ')} (seconds)`, set, [
    'msgctl config set output json',
    'msgctl config set timeout 60',
  ]),
  verb('unset <setting>', 'reset a setting to its default', unset, ['msgctl config unset output']),
  verb('path', 'print the path of the configuration file', path, ['msgctl config path']),
)
