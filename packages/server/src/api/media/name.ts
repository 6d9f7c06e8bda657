import { limits } from '@msgctl/contract'
import { parse } from 'content-disposition'
import type { Format } from './format.ts'

/** Removed from names of files: controls, parts of a path, and marks that change the reading direction. */
const unwanted = /[\p{Cc}\p{Cs}/\\:*?"<>|\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Names come from strangers, so only this many characters of one are read. */
const readCharacters = 1000

/** Returns the name as it may be shown: without unwanted characters, at most 255 long; null when nothing is left. */
export function cleanName(name: string): string | null {
  const clean = trimmed(name.slice(0, readCharacters).replace(unwanted, ''))
  if (clean.length <= limits.filename) return clean || null
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? ''
  return `${clean.slice(0, limits.filename - ending.length)}${ending}`
}

/** Returns the text without dots and blanks at its ends. A loop, because a regular expression would be quadratic. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isDotOrBlank(text.charAt(start))) start += 1
  while (end > start && isDotOrBlank(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isDotOrBlank(character: string): boolean {
  return character === '.' || character.trim() === ''
}

/** Returns the name that the file's server gives it: from its content-disposition, else the last part of the link. */
export function nameFromServer(link: string, disposition: string | undefined): string {
  const named = disposition === undefined ? null : cleanName(parse(disposition).parameters.filename ?? '')
  return named ?? cleanName(decoded(new URL(link).pathname.split('/').at(-1) ?? '')) ?? ''
}

/** Returns the name with an ending that fits what the file is. */
export function toFileName(format: Format, name: string): string {
  const lower = name.toLowerCase()
  if (format.extensions.some((extension) => lower.endsWith(`.${extension}`) && lower.length > extension.length + 1)) {
    return name
  }
  const [extension] = format.extensions
  return `${name.slice(0, limits.filename - 10) || 'file'}.${extension}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const mimetypeForm = /^[\w.+-]{1,60}\/[\w.+-]{1,80}(?:\s*;\s*[\w-]+=[\w.+-]+)*$/

/** Returns the type to send a file as: the given one when it is a type of the file's format, else the usual one. */
export function toMimetype(format: Format, declared: string | undefined): string {
  const wanted = declared?.trim().toLowerCase() ?? ''
  const [type = ''] = wanted.split(/(?<!\s)\s*;/, 1)
  const usual = format.mimetype.split(';', 1)
  return mimetypeForm.test(wanted) && [...usual, ...format.otherTypes].includes(type) ? wanted : format.mimetype
}
