import { limits } from '@msgctl/contract'
import type { Format } from './format.ts'

/** What no name of a file holds: controls, parts of a path, and marks that turn the reading direction around. */
const unwanted = /[\p{Cc}\p{Cs}/\\:*?"<>|\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The name as it may be shown: without what does not belong into one, at most 255 characters; null when nothing is left. */
export function cleanName(name: string): string | null {
  const clean = name.replace(unwanted, '').replace(/^[\s.]+|[\s.]+$/g, '')
  if (clean.length <= limits.filename) return clean || null
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? ''
  return `${clean.slice(0, limits.filename - ending.length)}${ending}`
}

/** The name that the file's server gives it: by the content-disposition header, else the last part of the link. */
export function nameFromServer(link: string, disposition: string | undefined): string {
  const named = disposition === undefined ? null : cleanName(nameIn(disposition))
  return named ?? cleanName(decoded(new URL(link).pathname.split('/').at(-1) ?? '')) ?? ''
}

/** The name with an ending that fits what the file is. */
export function nameFor(format: Format, name: string): string {
  const lower = name.toLowerCase()
  if (format.extensions.some((extension) => lower.endsWith(`.${extension}`) && lower.length > extension.length + 1)) {
    return name
  }
  const [extension] = format.extensions
  return `${name.slice(0, limits.filename - 10) || 'file'}.${extension}`
}

/** `filename*` (RFC 5987, UTF-8) or else `filename` of a content-disposition header. */
function nameIn(disposition: string): string {
  const extended = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) return decoded(extended)
  const plain = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition)
  return plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? ''
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const mimetypeForm = /^[\w.+-]{1,60}\/[\w.+-]{1,80}(?:\s*;\s*[\w-]+=[\w.+-]+)*$/

/** The type to send a file as: the one that its caller gave, when it is one of the same class, else its usual one. */
export function mimetypeFor(format: Format, given: string | undefined): string {
  const asked = given?.trim().toLowerCase() ?? ''
  return mimetypeForm.test(asked) && format.mayBe.test(asked) ? asked : format.mimetype
}
