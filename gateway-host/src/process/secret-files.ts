import { readFileSync } from 'node:fs'

/** The settings that may stand in a file, which `<name>_FILE` names. */
const fileSettings = ['DATABASE_URL', 'SECRETS_KEYS'] as const

/**
 * Returns the environment with the values of the files that `<name>_FILE` names, without a line break at the end, and a
 * sentence for each file that cannot be used.
 */
export function withSecretFiles(env: Readonly<Record<string, string | undefined>>) {
  const values: Record<string, string> = {}
  const faults: string[] = []
  for (const setting of fileSettings) {
    const name = `${setting}_FILE`
    const file = env[name]
    if (file === undefined) continue
    if (env[setting] !== undefined) {
      faults.push(`${name}: ${setting} is set too; set one of them`)
      continue
    }
    try {
      values[setting] = readFileSync(file, 'utf8').trim()
    } catch (error) {
      faults.push(`${name}: cannot be read (${error instanceof Error && 'code' in error ? error.code : 'not a file'})`)
    }
  }
  return { env: { ...env, ...values }, faults }
}
