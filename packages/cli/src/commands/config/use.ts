import type { Command } from 'commander'
import { type ConfigFile, updateConfig } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { addVerb, type Run } from '../../program.ts'

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

/** Adds `config use`. */
export function registerUse(config: Command, run: Run): void {
  addVerb(config, 'use <profile>', 'select the current profile', 'msgctl config use live').action(run(use))
}
