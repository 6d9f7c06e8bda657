import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'

const content = z.looseObject({
  baseUrl: z.string(),
  apiKey: z.string(),
  owner: z.object({ email: z.string(), password: z.string() }),
  simToken: z.string().optional(),
})

/** What msgctl needs to know of the service of this checkout; git ignores the file, and only its owner may read it. */
export type ProjectFile = z.infer<typeof content>

/** The file's place in the folder where the service was started. */
export function projectFilePath(folder: string): string {
  return path.resolve(folder, '.msgctl.json')
}

/** Reads the file; null when there is none or it is not one of ours. */
export function readProjectFile(folder: string): ProjectFile | null {
  try {
    return content.parse(JSON.parse(readFileSync(projectFilePath(folder), 'utf8')))
  } catch {
    return null
  }
}

/** Writes the file anew, readable by its owner only whatever stood there before; nobody ever sees half of it. */
export function writeProjectFile(folder: string, project: ProjectFile): void {
  const file = projectFilePath(folder)
  const draft = `${file}.${process.pid}`
  rmSync(draft, { force: true })
  writeFileSync(draft, `${JSON.stringify(project, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(draft, file)
}
