import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What msgctl needs to know of the service of this checkout; git ignores the file, and only its owner may read it. */
export interface ProjectFile {
  readonly baseUrl: string
  readonly apiKey: string
  readonly owner: { readonly email: string; readonly password: string }
}

const name = '.msgctl.json'

/** The file's place: in the folder where the service was started. */
export function projectFilePath(): string {
  return path.resolve(name)
}

/** Reads the file; null when there is none or it is not one of ours. */
export function readProjectFile(): ProjectFile | null {
  if (!existsSync(projectFilePath())) return null
  try {
    const read = JSON.parse(readFileSync(projectFilePath(), 'utf8')) as Partial<ProjectFile>
    return typeof read.baseUrl === 'string' && typeof read.apiKey === 'string' && read.owner
      ? (read as ProjectFile)
      : null
  } catch {
    return null
  }
}

/** Writes the file, readable by its owner only. */
export function writeProjectFile(content: ProjectFile): void {
  writeFileSync(projectFilePath(), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
}
