import { CliError } from '../errors/cli-error.ts'
import { exitCodes, notFound, usageFailure } from '../errors/exit-codes.ts'
import { take } from '../output/paging.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The shortest beginning of an id: earlier, it says only in which minute a thing was made. */
const shortestPrefix = 8
/** How many of the listed things are searched for a beginning of an id. */
const searched = 1000

/** The things of one kind that an id may belong to. */
export interface Listed {
  /** Called only for a beginning of an id. */
  list(): AsyncIterable<{ readonly id: string }>
  /** Their name in the plural: `reminders`. */
  readonly plural: string
  /** The command that lists them. */
  readonly command: string
  readonly code?: string
}

/** Returns a complete id as the service writes it. Throws a usage error with `advice` for what is none. */
export function requireId(reference: string, advice: string): string {
  if (uuid.test(reference)) return reference.toLowerCase()
  throw notAnId(reference, advice)
}

function notAnId(reference: string, advice: string): CliError {
  if (reference === '') return usageFailure('id is missing.', advice)
  return new CliError(`${reference} is not an id.`, { code: 'INVALID_ID', exitCode: exitCodes.usage, advice })
}

/**
 * Resolves an id, or the beginning of the id of a listed thing, as tables show it. Throws a CliError when none or
 * several match, and a usage error for what cannot be an id.
 */
export async function resolveId(
  reference: string,
  { list, plural, command, code = 'NOT_FOUND' }: Listed,
): Promise<string> {
  const typed = reference.toLowerCase()
  if (uuid.test(typed)) return typed
  if (!/^[0-9a-f-]+$/.test(typed) || typed.length < shortestPrefix) {
    throw notAnId(
      reference,
      `Pass the id of one of the ${plural}, or at least its first ${shortestPrefix} characters: ${command}`,
    )
  }
  const found = new Set<string>()
  for await (const { id } of take(list(), searched)) {
    if (id.startsWith(typed)) found.add(id)
  }
  const [first, ...others] = found
  if (first === undefined) {
    throw new CliError(`None of the first ${searched} ${plural} begins with ${reference}.`, {
      code,
      exitCode: exitCodes.notFound,
      advice: `Use the complete id; ${command} --json shows it.`,
    })
  }
  if (others.length === 0) return first
  const shown = [first, ...others].slice(0, 5).join(', ')
  throw usageFailure(`Several ${plural} begin with ${reference}: ${shown}.`, 'Use a longer part.')
}

/** Returns whether a text is a complete id. */
export function isId(text: string): boolean {
  return uuid.test(text)
}

/** Returns whether a thing has this name, in any case, or an id that begins with it. */
export function isNamed({ id, name }: { readonly id: string; readonly name: string }, reference: string): boolean {
  const typed = reference.toLowerCase()
  return name.toLowerCase() === typed || (/^[0-9a-f-]{4,}$/.test(typed) && id.startsWith(typed))
}

/** Returns the one of some found things. Throws a CliError when there is none, or several. */
export function requireOne<T extends { readonly id: string }>(
  found: readonly T[],
  reference: string,
  { one, plural, noun = plural }: { readonly one: string; readonly plural: string; readonly noun?: string },
): T {
  const [first, ...others] = found
  if (first === undefined)
    throw notFound(`${one} ${reference} not found.`, `List the ${plural} with: msgctl ${noun} list`)
  if (others.length === 0) return first
  const ids = found.map(({ id }) => id).join(', ')
  throw usageFailure(`Several ${plural} match ${reference}: ${ids}.`, 'Use the id of one of them.')
}

/** Returns the list of a response as {@link Listed} reads it. */
export async function* listedBy<T extends { readonly id: string }>(read: () => Promise<readonly T[]>) {
  yield* await read()
}
