import { randomBytes } from 'node:crypto'
import type { FetchedFile } from '@msgctl/network/gateway'

/** Links under which WAHA servers fetch the files of sends that are under way. */
export interface FileLinks {
  /** Returns the path of a new link. It ends after ten minutes, or with `end` when the send is over. */
  add(file: FetchedFile): { readonly path: string; end(): void }
  /** Returns the file of a token; null for an unknown one, or one that has ended. */
  find(token: string): FetchedFile | null
}

const livesMs = 600_000
const maxLinks = 1000

/** The path of a link, without its token. */
export const filesPath = '/gateway/files/'

/**
 * Creates the links of this process. A token has 256 random bits, so that it alone permits the download. The file lies
 * in the temporary folder of the process that sends it, so only this process can serve it.
 */
export function fileLinks(elapsedMs: () => number = () => performance.now()): FileLinks {
  const files = new Map<string, FetchedFile & { readonly endsAtMs: number }>()
  return {
    add(file) {
      for (const [token, { endsAtMs }] of files)
        if (endsAtMs <= elapsedMs() || files.size >= maxLinks) files.delete(token)
      const token = randomBytes(32).toString('base64url')
      files.set(token, { ...file, endsAtMs: elapsedMs() + livesMs })
      return { path: `${filesPath}${token}`, end: () => void files.delete(token) }
    },
    find(token) {
      const file = files.get(token)
      return file && file.endsAtMs > elapsedMs() ? file : null
    },
  }
}
