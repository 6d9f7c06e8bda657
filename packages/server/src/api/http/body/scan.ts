import { limits, type Route } from '@msgctl/contract'
import { apiError } from '#platform/errors.ts'
import { PassedBound } from './passed-bound.ts'

/** How much structure a JSON body may have. A mark is one `{`, `[`, `:` or `,` outside of texts. */
export interface ScanBounds {
  /** Marks of everything that is not an entry of a list in the body's own fields. */
  readonly marks: number
  /** On bulk routes, whose bodies have long lists in their own fields. */
  readonly lists?: {
    /** Marks of all lists together. */
    readonly marks: number
    /** Marks of each entry. */
    readonly entryMarks: number
    /** Entries of each list. */
    readonly entries: number
    /** Bytes of each text, in a list or outside. */
    readonly textBytes: number
  }
}

/** A list in one of the body's own fields, as byte offsets. */
export interface ListSpan {
  /** The offset after `[`. */
  readonly start: number
  /** The offset of `]`. */
  readonly end: number
  /** Offsets of commas between two entries, about {@link partBytes} apart. */
  readonly cuts: readonly number[]
}

/** Reads a body's bytes as they arrive. */
export interface Scan {
  /** Throws {@link PassedBound} and INVALID_JSON as soon as a bound is passed. */
  read(chunk: Uint8Array): void
  /** The lists to parse in parts; empty without `bounds.lists`. */
  readonly lists: readonly ListSpan[]
  /** Whether everything that was opened has been closed. Anything else is not JSON. */
  closed(): boolean
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
/** Entries are parsed together until they have about so many bytes. */
const partBytes = 32 * 1024

/**
 * Creates a scanner that counts what JSON.parse and validation would have to build, in one linear pass that builds
 * nothing. The counts of text that is not JSON mean nothing: the parser refuses it.
 */
export function scanBody(bounds: ScanBounds): Scan {
  const { marks, lists } = bounds
  const found: ListSpan[] = []
  let offset = 0
  let depth = 0
  let inText = false
  let escaped = false
  let textStart = 0
  let rootIsObject = false
  /** The last text at the root, and whether it names the field whose value follows. */
  let name = { start: 0, end: 0 }
  let isNamed = false
  /** Entries that were separated in the list that is the value of a field of the root; null outside of one. */
  let separated: number | null = null
  /** Marks left: outside of lists, in lists, and in the current entry. */
  let left = marks
  let leftInLists = lists?.marks ?? 0
  let leftInEntry = 0
  let list: { start: number; cuts: number[]; lastCut: number; commas: number } | undefined

  function count(): void {
    if (!list) left -= 1
    else {
      leftInLists -= 1
      leftInEntry -= 1
    }
    if (left < 0) throw tooMany('more than', marks, 'fields and entries')
    if (!lists) return
    if (leftInLists < 0) throw tooMany('lists of more than', lists.marks, 'fields and entries')
    if (leftInEntry < 0) throw tooMany('a list entry of more than', lists.entryMarks, 'fields and entries')
  }

  function tooMany(which: string, maxEntries: number, what: string): Error {
    return new PassedBound(`${which} ${maxEntries} ${what}`, { maxEntries }, passedIn())
  }

  /** Returns in which field of the root a bound was passed, and the entries that its list has at least. */
  function passedIn() {
    if (!isNamed || (depth > 1 && separated === null)) return null
    return { name, entries: separated === null ? null : separated + 1 }
  }

  function open(isObject: boolean): void {
    count()
    depth += 1
    if (depth > limits.bodyDepth) {
      throw apiError('INVALID_JSON', `The body is nested deeper than ${limits.bodyDepth} levels.`)
    }
    if (depth === 1) rootIsObject = isObject
    if (depth !== 2 || isObject || !rootIsObject) return
    separated = 0
    if (!lists) return
    list = { start: offset + 1, cuts: [], lastCut: offset + 1, commas: 0 }
    leftInEntry = lists.entryMarks
  }

  function close(): void {
    if (depth === 2) separated = null
    if (depth === 2 && list) {
      found.push({ start: list.start, end: offset, cuts: list.cuts })
      list = undefined
      leftInEntry = 0
    }
    depth -= 1
  }

  /** Also called within a text, at the end of each chunk, so that the rest of a text that is too long is not read. */
  function boundText(): void {
    if (!lists || offset - textStart <= lists.textBytes) return
    const { textBytes: maxBytes } = lists
    const what = `${list ? 'a list entry with ' : ''}a text of more than ${maxBytes} bytes`
    throw new PassedBound(what, { maxBytes }, passedIn())
  }

  function separate(): void {
    if (depth === 1) isNamed = false
    else if (depth === 2 && separated !== null) separated += 1
    count()
    if (depth !== 2 || !list) return
    list.commas += 1
    if (lists && list.commas >= lists.entries) throw tooMany('a list of more than', lists.entries, 'entries')
    leftInEntry = lists?.entryMarks ?? 0
    if (offset - list.lastCut < partBytes) return
    list.cuts.push(offset)
    list.lastCut = offset
  }

  return {
    lists: found,
    closed: () => depth === 0 && !inText,
    read(chunk) {
      for (let n = 0; n < chunk.length; n++, offset++) {
        const byte = chunk[n]
        if (inText) {
          if (escaped) escaped = false
          else if (byte === backslash) escaped = true
          else if (byte === quote) {
            inText = false
            boundText()
            if (depth === 1 && !isNamed) name = { start: textStart + 1, end: offset }
          }
        } else if (byte === quote) {
          inText = true
          textStart = offset
        } else if (byte === comma) separate()
        else if (byte === colon) {
          if (depth === 1 && rootIsObject) isNamed = true
          count()
        } else if (byte === openBrace || byte === openBracket) open(byte === openBrace)
        else if (byte === closeBrace || byte === closeBracket) close()
      }
      if (inText) boundText()
    },
  }
}

/** How large the body of one route may be. */
export interface RouteBounds extends ScanBounds {
  readonly maxBytes: number
}

const bulk = {
  maxBytes: limits.bulkBodyBytes,
  marks: limits.bodyMarks,
  lists: {
    marks: limits.bulkListMarks,
    entryMarks: limits.bulkEntryMarks,
    entries: limits.bulkEntries,
    textBytes: limits.bulkTextBytes,
  },
}
const open = { maxBytes: limits.publicBodyBytes, marks: limits.publicBodyMarks }
/** The bounds of a body that is not in bulk, of a caller who is known. */
export const ordinary = { maxBytes: limits.bodyBytes, marks: limits.bodyMarks }

/** The bounds of a route's body. Routes that need no credentials get little. */
export function bodyBoundsOf({ access, bulk: isBulk }: Route): RouteBounds {
  if (access.keys === 'public') return open
  return isBulk ? bulk : ordinary
}
