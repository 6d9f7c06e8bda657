import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** The encodings of packed files, the smallest first, with the ending that the build gives them. */
const encodings = { br: '.br', gzip: '.gz' } as const

/** A file of the console as it is sent. */
export interface ConsoleFile {
  readonly plain: Buffer
  /** The packed contents by encoding. */
  readonly packed: ReadonlyMap<string, Buffer>
  readonly etag: string
}

/**
 * Reads the built console into memory: its files by their path below the folder, the first of these that has any.
 * Resolves with an empty map where nothing was built.
 */
export async function readConsole(folders: readonly string[]): Promise<ReadonlyMap<string, ConsoleFile>> {
  for (const folder of folders) {
    const files = toFiles(await readAll(folder))
    if (files.size > 0) return files
  }
  return new Map()
}

function toFiles(contents: ReadonlyMap<string, Buffer>): Map<string, ConsoleFile> {
  const isPacked = (name: string) => Object.values(encodings).some((ending) => name.endsWith(ending))
  const files = [...contents].filter(([name]) => !isPacked(name))
  return new Map(files.map(([name, plain]) => [name, toFile(plain, packedOf(name, contents))]))
}

function packedOf(name: string, contents: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  const packed = Object.entries(encodings).flatMap(([encoding, ending]) => {
    const content = contents.get(name + ending)
    return content ? [[encoding, content] as const] : []
  })
  return new Map(packed)
}

/** Returns a file with its validator. */
export function toFile(plain: Buffer, packed: ReadonlyMap<string, Buffer> = new Map()): ConsoleFile {
  return { plain, packed, etag: `"${createHash('sha256').update(plain).digest('base64url')}"` }
}

async function readAll(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const read = async (file: string) =>
    [path.relative(folder, file).split(path.sep).join('/'), await readFile(file)] as const
  return new Map(await Promise.all(paths.map(read)))
}
