import { updateConfig } from './config-file.ts'
import type { Context } from './context.ts'
import { replaceProjectKey } from './project-file.ts'
import { describeSource } from './target.ts'

function updateProfile(context: Context, name: string, apiKey: string): void {
  updateConfig(context.world, (config) => {
    const profile = config.profiles[name]
    return profile ? { ...config, profiles: { ...config.profiles, [name]: { ...profile, apiKey } } } : config
  })
}

/** Puts the new account key where msgctl got the old one, which has stopped working; elsewhere it says so. */
export function saveKey(context: Context, apiKey: string): void {
  const { credentialsFrom: from, credentials } = context.target
  if (from === undefined || credentials.apiKey === undefined) return
  if (from.kind === 'project') replaceProjectKey(from.name, apiKey)
  else if (from.kind === 'profile') updateProfile(context, from.name, apiKey)
  const kept = from.kind === 'project' || from.kind === 'profile'
  context.note(
    kept
      ? `The new key is stored in ${describeSource(from)}.`
      : 'MSG_API_KEY still holds the old key, which no longer works.',
  )
}
