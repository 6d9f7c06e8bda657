import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Host } from '../host.ts'
import { isThisMachine, readAddress } from './address.ts'
import { writePrivate } from './config-file.ts'

/** The credentials of a user, as the quick start writes them for the demo organization's owner. */
export interface Owner {
  readonly email: string
  readonly password: string
}

/** A usable `.msgctl.json`. */
interface ProjectFile {
  readonly file: string
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly owner?: Owner | undefined
  /** The token of the simulator controls. */
  readonly simToken?: string | undefined
}

/** The nearest `.msgctl.json`: usable, rejected with a reason, or none. */
export type FoundProject =
  | { readonly project: ProjectFile }
  | { readonly file: string; readonly refused: string }
  | undefined

const projectFileName = '.msgctl.json'
const maxBytes = 64 * 1024

interface Opened {
  readonly text: string
  readonly uid: number
  readonly mode: number
}

/** Reads owner and content of one open file, so that it cannot be replaced between the check and the read. */
function openAndRead(file: string): Opened | undefined {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
  try {
    const { uid, mode, size } = fstatSync(descriptor)
    return { text: size > maxBytes ? '' : readFileSync(descriptor, 'utf8'), uid, mode }
  } finally {
    closeSync(descriptor)
  }
}

/** Returns why another user could have written the file, or undefined if none could. */
function findUnsafeOwnership(host: Host, { uid, mode }: Opened): string | undefined {
  if (host.uid === undefined) return undefined
  if (uid !== host.uid && uid !== 0) return 'it belongs to another user'
  return (mode & 0o022) === 0 ? undefined : 'other users can write to it (run chmod 600)'
}

function ownerIn(value: unknown): Owner | undefined {
  const { email, password } = (value ?? {}) as { email?: unknown; password?: unknown }
  return typeof email === 'string' && typeof password === 'string' ? { email, password } : undefined
}

function parse(file: string, text: string): ProjectFile | string {
  let record: { baseUrl?: unknown; apiKey?: unknown; owner?: unknown; simToken?: unknown } | null
  try {
    record = JSON.parse(text)
  } catch {
    return 'it is not JSON'
  }
  if (typeof record !== 'object' || typeof record?.baseUrl !== 'string') return 'it has no baseUrl'
  const { baseUrl, apiKey, owner, simToken } = record
  const url = readAddress(baseUrl)
  if (url === undefined) return 'its baseUrl is not an http or https address'
  if (url.protocol !== 'https:' && !isThisMachine(url)) return 'its baseUrl is neither https nor on this machine'
  return {
    file,
    baseUrl,
    apiKey: typeof apiKey === 'string' && apiKey !== '' ? apiKey : undefined,
    owner: ownerIn(owner),
    simToken: typeof simToken === 'string' ? simToken : undefined,
  }
}

function checkProjectFile(host: Host, file: string): FoundProject {
  let opened: Opened | undefined
  try {
    opened = openAndRead(file)
  } catch (error) {
    return { file, refused: `it cannot be read: ${(error as Error).message}` }
  }
  if (opened === undefined) return undefined
  const reason = findUnsafeOwnership(host, opened)
  if (reason !== undefined) return { file, refused: reason }
  const parsed = parse(file, opened.text)
  return typeof parsed === 'string' ? { file, refused: parsed } : { project: parsed }
}

/**
 * Finds the nearest `.msgctl.json` from the working directory upward. It is trusted only if no other user could have
 * written it, and only for https or this machine: a foreign checkout must not redirect messages in clear text.
 */
export function findProject(host: Host): FoundProject {
  for (let folder = path.resolve(host.cwd); ; folder = path.dirname(folder)) {
    const found = checkProjectFile(host, path.join(folder, projectFileName))
    if (found !== undefined || folder === path.dirname(folder)) return found
  }
}

/** Replaces the key in the file and keeps everything else. */
export function replaceProjectKey(file: string, apiKey: string): void {
  const record = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  writePrivate(file, `${JSON.stringify({ ...record, apiKey }, null, 2)}\n`)
}
