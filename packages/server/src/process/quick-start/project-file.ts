import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'

const content = z.looseObject({
  baseUrl: z.string(),
  apiKey: z.string(),
  owner: z.object({ email: z.string(), password: z.string() }),
  simToken: z.string().optional(),
})

/** The settings of msgctl for the service of this checkout. Git ignores the file, and only its owner can read it. */
export type ProjectFile = z.infer<typeof content>

/** Returns the path of the file in the folder where the service was started. */
export function projectFilePath(folder: string): string {
  return path.resolve(folder, '.msgctl.json')
}

/** Returns the path of what the file was before another service took its place. */
function backupPath(folder: string): string {
  return `${projectFilePath(folder)}.bak`
}

/** Reads the file. Returns null when there is none or its content is not valid. */
export function readProjectFile(folder: string): ProjectFile | null {
  try {
    return content.parse(JSON.parse(readFileSync(projectFilePath(folder), 'utf8')))
  } catch {
    return null
  }
}

/** Replaces the file atomically. Only its owner can read it, whatever its mode was before. */
export function writeProjectFile(folder: string, project: ProjectFile): void {
  const file = projectFilePath(folder)
  const draft = `${file}.${process.pid}`
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(project, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(draft, file)
}

/**
 * Keeps the file as a backup when it names another key, which is shown nowhere else. Returns the path of the backup, or
 * null when there was nothing to keep.
 */
export function keepProjectFile(folder: string, apiKey: string): string | null {
  const before = readProjectFile(folder)
  if (!before || before.apiKey === apiKey) return null
  renameSync(projectFilePath(folder), backupPath(folder))
  return backupPath(folder)
}
