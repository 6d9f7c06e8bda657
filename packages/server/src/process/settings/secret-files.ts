import { readFileSync } from 'node:fs'

/**
 * Settings that may stand in a file, which `<name>_FILE` names: systemd, compose and Kubernetes hand secrets over so.
 */
const fileSettings = [
  'DATABASE_URL',
  'SECRETS_KEYS',
  'SMTP_URL',
  'AI_KEY',
  'TRANSCRIBE_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const

/** A unit hands over an empty file where there is none of these. */
const optionalSettings: ReadonlySet<string> = new Set([
  'SMTP_URL',
  'AI_KEY',
  'TRANSCRIBE_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
])

/** The values that were read, and a sentence for each file that could not be. */
export interface SecretFiles {
  readonly values: Readonly<Record<string, string>>
  readonly faults: readonly string[]
}

/**
 * Reads the files of the settings that `read` returns for `<name>_FILE`. A line break at the end is left out. An
 * optional setting whose file or variable is empty is not set there.
 */
export function readSecretFiles(
  read: (name: string) => { readonly name: string; readonly value: string | null },
): SecretFiles {
  const values: Record<string, string> = {}
  const faults: string[] = []
  for (const setting of fileSettings) {
    const { name, value } = read(`${setting}_FILE`)
    if (value === null) continue
    try {
      const text = readFileSync(value, 'utf8').trim()
      const direct = read(setting)
      const isOptional = optionalSettings.has(setting)
      if (isOptional && text === '') continue
      if (direct.value === null || (isOptional && direct.value === '')) values[setting] = text
      else faults.push(`${name}: ${direct.name} is set too; set one of them`)
    } catch (error) {
      faults.push(`${name}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'not a file'})`)
    }
  }
  return { values, faults }
}
