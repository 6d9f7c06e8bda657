import { readFileSync } from 'node:fs'

/**
 * Settings that may stand in a file, which `<name>_FILE` names: systemd, compose and Kubernetes hand secrets over so.
 */
const fileSettings = ['DATABASE_URL', 'SECRETS_KEYS', 'SMTP_URL', 'AI_KEY', 'TRANSCRIBE_KEY'] as const

/** The values that were read, and a sentence for each file that could not be. */
export interface SecretFiles {
  readonly values: Readonly<Record<string, string>>
  readonly faults: readonly string[]
}

/** Reads the files of the settings that `read` returns for `<name>_FILE`. A line break at the end is left out. */
export function readSecretFiles(
  read: (name: string) => { readonly name: string; readonly value: string | null },
): SecretFiles {
  const values: Record<string, string> = {}
  const faults: string[] = []
  for (const setting of fileSettings) {
    const { name, value } = read(`${setting}_FILE`)
    if (value === null) continue
    const direct = read(setting)
    if (direct.value !== null) {
      faults.push(`${name}: ${direct.name} is set too; set one of them`)
      continue
    }
    try {
      values[setting] = readFileSync(value, 'utf8').trim()
    } catch (error) {
      faults.push(`${name}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'not a file'})`)
    }
  }
  return { values, faults }
}
