import { updateConfig } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { settingNamed } from './settings.ts'

async function unset(context: Context, name: string): Promise<void> {
  const setting = settingNamed(name)
  const record = { setting, value: null }
  if (context.options.dryRun) return context.done({ dryRun: true, ...record }, `Would unset ${setting}.`)
  updateConfig(context.host, (config) => ({ ...config, settings: { ...config.settings, [setting]: undefined } }))
  await context.done(record, `Reset ${setting} to its default.`)
}

/** `config unset`. */
export const unsetVerb = verb('unset <setting>', 'reset a setting to its default', unset, [
  'msgctl config unset output',
])
