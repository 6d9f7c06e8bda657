import type { Context } from '../context.ts'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { updateConfig } from './config-file.ts'
import { replaceProjectKey } from './project-file.ts'
import { describeSource, type Source } from './target.ts'

function updateProfile(context: Context, name: string, apiKey: string): void {
  updateConfig(context.host, (config) => {
    const profile = config.profiles[name]
    return profile ? { ...config, profiles: { ...config.profiles, [name]: { ...profile, apiKey } } } : config
  })
}

function store(context: Context, from: Source, apiKey: string): void {
  try {
    if (from.kind === 'project') replaceProjectKey(from.name, apiKey)
    else if (from.kind === 'profile') updateProfile(context, from.name, apiKey)
  } catch (error) {
    const why = (error as Error).message
    throw new CliError(`The key was replaced, but ${describeSource(from)} still contains the old one: ${why}`, {
      code: 'KEY_NOT_STORED',
      exitCode: exitCodes.partlyDone,
      advice: 'The new key was printed. Store it with msgctl login --with-key, or in that file.',
    })
  }
}

/**
 * Stores the new account key where msgctl found the old one. A key from the environment cannot be replaced: this adds a
 * note. Throws a CliError when the key cannot be written.
 */
export function saveKey(context: Context, apiKey: string): void {
  const { credentialsFrom: from, credentials } = context.target
  if (from === undefined || credentials.apiKey === undefined) return
  store(context, from, apiKey)
  const kept = from.kind === 'project' || from.kind === 'profile'
  context.note(
    kept
      ? `The new key is stored in ${describeSource(from)}.`
      : 'MSG_API_KEY still contains the old key, which no longer works.',
  )
}
