import { type ConfigFile, updateConfig } from '../../config/config-file.ts'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { verb } from '../../program.ts'

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

/** `config use`. */
export const useVerb = verb('use <profile>', 'select the current profile', use, ['msgctl config use live'])
