import { updateConfig } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { settingNamed, settingNames, settings } from './settings.ts'

async function set(context: Context, name: string, text: string): Promise<void> {
  const setting = settingNamed(name)
  const value = settings[setting](text)
  if (context.options.dryRun) return context.done({ dryRun: true, setting, value }, `Would set ${setting} to ${value}.`)
  updateConfig(context.host, (config) => ({ ...config, settings: { ...config.settings, [setting]: value } }))
  await context.done({ setting, value }, `Set ${setting} to ${value}.`)
}

/** `config set`. */
export const setVerb = verb('set <setting> <value>', `change a setting: ${settingNames.join(', ')} (seconds)`, set, [
  'msgctl config set output json',
  'msgctl config set timeout 60',
])
