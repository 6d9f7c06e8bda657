import type { IncomingMessage } from 'node:http'
import { limits } from '@msgctl/contract'
import { readBody, readJson } from '#api/http/body.ts'
import { ApiError, apiError, invalidField } from '#platform/errors.ts'
import { type FormPart, readForm } from './multipart.ts'

/** A file that a caller uploads, and what the caller says about it. */
export interface UploadedBody {
  readonly bytes: Buffer
  /** `filename` and `mimetype`, not validated yet. */
  readonly fields: Readonly<Record<string, unknown>>
}

const { bytes: maxBytes, base64Characters } = limits.media
/** Names and boundaries beside the file. */
const envelopeBytes = 64 * 1024

/**
 * Reads an uploaded file in any of three forms: JSON with the file in base64, multipart/form-data with a part `file`,
 * or the bytes alone, described by the query. Throws FILE_TOO_LARGE, INVALID_JSON and VALIDATION_ERROR.
 */
export async function readUpload(
  request: IncomingMessage,
  query: Readonly<Record<string, unknown>>,
  timeoutMs: number,
): Promise<UploadedBody> {
  const type = (request.headers['content-type'] ?? '').trim().toLowerCase()
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (type.startsWith('application/x-www-form-urlencoded') || encoding.toLowerCase() !== 'identity') throw unclear()
  const read = formOf(type)
  const body = await read(request, timeoutMs, query)
  if (body.bytes.length === 0) throw invalidField('content', 'must not be empty', 'too_small')
  if (body.bytes.length > maxBytes) throw tooLarge()
  return body
}

type Read = (
  request: IncomingMessage,
  timeoutMs: number,
  query: Readonly<Record<string, unknown>>,
) => Promise<UploadedBody>

function formOf(type: string): Read {
  // A request without a type can only be meant as JSON, as on every other route.
  if (type === '' || type.startsWith('application/json')) return readEncoded
  return type.startsWith('multipart/form-data') ? readMultipart : readPlain
}

async function readPlain(
  request: IncomingMessage,
  timeoutMs: number,
  { filename, mimetype }: Readonly<Record<string, unknown>>,
): Promise<UploadedBody> {
  return { bytes: await readBytes(request, maxBytes, timeoutMs), fields: { filename, mimetype } }
}

async function readEncoded(request: IncomingMessage, timeoutMs: number): Promise<UploadedBody> {
  const bounds = { maxBytes: base64Characters + envelopeBytes, marks: limits.bodyMarks, timeoutMs }
  const body = await withFileTooLarge(readJson(request, bounds))
  const { content, ...fields } = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  if (content === undefined) throw invalidField('content', 'is required', 'required')
  if (typeof content !== 'string') throw invalidField('content', 'must be a text in base64', 'invalid_type')
  return { bytes: decode(content), fields }
}

/** Decodes base64. The decoder skips what is none, so the length shows whether there was any. */
function decode(content: string): Buffer {
  const bytes = Buffer.from(content, 'base64')
  const padding = /={0,2}$/.exec(content.slice(-2))?.[0].length ?? 0
  if (bytes.length === Math.floor(((content.length - padding) * 3) / 4)) return bytes
  throw invalidField('content', 'must be base64 without blanks or line breaks')
}

async function readMultipart(request: IncomingMessage, timeoutMs: number): Promise<UploadedBody> {
  const body = await readBytes(request, maxBytes + envelopeBytes, timeoutMs)
  const { file, ...texts } = readForm(body, request.headers['content-type'] ?? '', ['file', 'filename', 'mimetype'])
  if (file?.filename === undefined) throw invalidField('file', 'must be a part with a file', 'required')
  const named = file.filename === '' ? undefined : file.filename
  const fields = { filename: textOf(texts.filename) ?? named, mimetype: textOf(texts.mimetype) }
  return { bytes: file.bytes, fields }
}

/**
 * Returns the text of a field. One that is much longer than any is allowed to be is cut: it is refused all the same.
 */
function textOf(part: FormPart | undefined): string | undefined {
  return part?.bytes.toString('utf8', 0, limits.media.partHeadBytes)
}

async function readBytes(request: IncomingMessage, bound: number, timeoutMs: number): Promise<Buffer> {
  return withFileTooLarge(readBody(request, { maxBytes: bound, timeoutMs }))
}

async function withFileTooLarge<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE' ? tooLarge() : error
  }
}

/** Returns the error for a body that is rather a mistake: curl sends forms unless it is given a type. */
function unclear() {
  return apiError(
    'INVALID_JSON',
    'Send the file as multipart/form-data, as JSON in base64, or as its bytes with their ' +
      'own Content-Type; not encoded.',
  )
}

function tooLarge() {
  const mib = maxBytes / 1024 ** 2
  return apiError('FILE_TOO_LARGE', `The file is larger than ${mib} MiB. Send a public link to it instead.`, {
    maxBytes,
  })
}
