import { limits } from '@msgctl/contract'
import { parse } from 'content-disposition'
import { apiError } from '#platform/errors.ts'

/** One part of a form. Its bytes are those of the body, not a copy. */
export interface FormPart {
  /** The name that the caller gives the file; undefined for a field. */
  readonly filename: string | undefined
  readonly bytes: Buffer
}

const { formParts, partHeadBytes } = limits.media
const lineBreak = '\r\n'
const closing = '--'
/** RFC 2046, 5.1.1. */
const boundaryCharacters = 70

/**
 * Reads the first part of each of these names from multipart/form-data (RFC 7578); no other part costs more than the
 * search for its end. Parts are counted, and heads are measured, before one is parsed. Throws PAYLOAD_TOO_LARGE for too
 * many parts or a head that is too long, and INVALID_JSON for a body that is no form.
 */
export function readForm<Name extends string>(
  body: Buffer,
  contentType: string,
  names: readonly Name[],
): Partial<Record<Name, FormPart>> {
  const found: Partial<Record<Name, FormPart>> = {}
  for (const { head, bytes } of splitParts(body, boundaryOf(contentType)).map(splitHead)) {
    const { name, filename, isBase64 } = readHead(head)
    const wanted = names.find((one) => one === name)
    if (wanted === undefined) continue
    found[wanted] ??= { filename, bytes: isBase64 ? Buffer.from(bytes.toString('latin1'), 'base64') : bytes }
  }
  return found
}

/** Returns the text that separates the parts. The header has the grammar of Content-Disposition. */
function boundaryOf(contentType: string): string {
  const { boundary = '' } = parse(contentType, { extended: false }).parameters
  if (boundary === '' || boundary.length > boundaryCharacters) throw notForm()
  return boundary
}

/**
 * Returns the parts, each from the line break before its head. What stands before the first and after the last is
 * ignored.
 */
function splitParts(body: Buffer, boundary: string): Buffer[] {
  const delimiter = Buffer.from(`${lineBreak}${closing}${boundary}`, 'latin1')
  const opening = delimiter.subarray(lineBreak.length)
  const parts: Buffer[] = []
  let from = body.subarray(0, opening.length).equals(opening) ? opening.length : endOf(body.indexOf(delimiter))
  for (;;) {
    const next = body.toString('latin1', from, from + lineBreak.length)
    if (next === closing) return parts
    if (next !== lineBreak) throw notForm()
    if (parts.length === formParts) throw tooLarge(`more than ${formParts} parts`)
    const end = body.indexOf(delimiter, from)
    parts.push(body.subarray(from, end))
    from = endOf(end)
  }

  function endOf(at: number): number {
    if (at === -1) throw notForm()
    return at + delimiter.length
  }
}

function splitHead(part: Buffer): { head: string; bytes: Buffer } {
  const blankLine = `${lineBreak}${lineBreak}`
  const end = part.subarray(0, partHeadBytes).indexOf(blankLine)
  if (end !== -1) return { head: part.toString('utf8', 0, end), bytes: part.subarray(end + blankLine.length) }
  if (part.length <= partHeadBytes) throw notForm()
  throw tooLarge(`a part whose head is longer than ${partHeadBytes} bytes`)
}

function readHead(head: string) {
  const lines = head.split(lineBreak).slice(1)
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) throw notForm()
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const { type, parameters } = parse(headers.get('content-disposition') ?? '', { multipart: true })
  if (type !== 'form-data' || parameters.name === undefined) throw notForm()
  const isBase64 = headers.get('content-transfer-encoding')?.toLowerCase() === 'base64'
  return { name: parameters.name, filename: parameters.filename, isBase64 }
}

function notForm(): Error {
  return apiError('INVALID_JSON', 'The body is not valid multipart/form-data.')
}

function tooLarge(what: string): Error {
  const { bytes: maxBytes } = limits.media
  return apiError('PAYLOAD_TOO_LARGE', `The form has ${what}.`, { maxBytes })
}
