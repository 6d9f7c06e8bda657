import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type Koa from 'koa'
import { apiError } from '#platform/errors.ts'

/** The encodings of packed files, the smallest first, with the ending that the build gives them. */
const encodings = { br: '.br', gzip: '.gz' } as const

/** A file that another package built, as it is sent. */
export interface BuiltFile {
  readonly plain: Buffer
  /** The packed contents by encoding. */
  readonly packed: ReadonlyMap<string, Buffer>
  readonly etag: string
}

/**
 * Where the files of a site that a package built lie, the first that exists: beside the bundle, which has a copy, or in
 * the package itself. The sources and the compiled modules are as far from that package as each other.
 */
export function builtFolders(pack: 'console' | 'docs', site: 'site' | 'pages' = 'site'): readonly string[] {
  const here = import.meta.dirname
  return [path.join(here, `${pack}-${site}`), path.join(here, '../../..', pack, 'dist', site)]
}

/**
 * Reads built files into memory, by their path below the folder: the first of these that has any. Resolves with an
 * empty map where nothing was built.
 */
async function readBuilt(folders: readonly string[]): Promise<ReadonlyMap<string, BuiltFile>> {
  for (const folder of folders) {
    const files = toFiles(await readAll(folder))
    if (files.size > 0) return files
  }
  return new Map()
}

/**
 * Returns a function that reads built files at its first call, and throws ROUTE_NOT_FOUND where nothing was built.
 * `what` was to be built, like `The console`.
 */
export function openBuilt(folders: readonly string[], what: string): () => Promise<ReadonlyMap<string, BuiltFile>> {
  let read: Promise<ReadonlyMap<string, BuiltFile>> | undefined
  return async () => {
    read ??= readBuilt(folders)
    const files = await read
    if (files.size === 0) throw apiError('ROUTE_NOT_FOUND', `${what} is not built. Run: npm run build`)
    return files
  }
}

function toFiles(contents: ReadonlyMap<string, Buffer>): Map<string, BuiltFile> {
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
export function toFile(plain: Buffer, packed: ReadonlyMap<string, Buffer> = new Map()): BuiltFile {
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

const yearSeconds = 31_536_000

/** Sends a file in an encoding that the caller accepts, or 304. Browsers revalidate what is not lasting. */
export function sendBuilt(
  ctx: Koa.Context,
  name: string,
  { plain, packed, etag }: BuiltFile,
  { headers, isLasting }: { readonly headers: Readonly<Record<string, string>>; readonly isLasting: boolean },
): void {
  ctx.set({ ...headers, ETag: etag })
  ctx.set('Cache-Control', isLasting ? `public, max-age=${yearSeconds}, immutable` : 'no-cache')
  ctx.vary('Accept-Encoding')
  ctx.type = path.extname(name)
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  const encoding = ctx.acceptsEncodings([...packed.keys(), 'identity'])
  const content = packed.get(String(encoding))
  if (content) ctx.set('Content-Encoding', String(encoding))
  ctx.body = content ?? plain
}
