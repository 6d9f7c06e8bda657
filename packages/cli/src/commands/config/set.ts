import type { Command } from 'commander'
import { updateConfig } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { settingNamed, settingNames, settings } from './settings.ts'

async function set(context: Context, name: string, text: string): Promise<void> {
  const setting = settingNamed(name)
  const value = settings[setting](text)
  if (context.options.dryRun) return context.done({ dryRun: true, setting, value }, `Would set ${setting} to ${value}.`)
  updateConfig(context.host, (config) => ({ ...config, settings: { ...config.settings, [setting]: value } }))
  await context.done({ setting, value }, `Set ${setting} to ${value}.`)
}

/** Adds `config set`. */
export function registerSet(config: Command, run: Run): void {
  addVerb(
    config,
    'set <setting> <value>',
    `change a setting: ${settingNames.join(', ')} (seconds)`,
    'msgctl config set output json',
    'msgctl config set timeout 60',
  ).action(run(set))
}
