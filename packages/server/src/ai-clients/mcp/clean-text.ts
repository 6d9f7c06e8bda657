import { limits } from '@msgctl/contract'
import { withoutImages, withoutTags } from './without-markup.ts'

/**
 * Controls but tab and line feed, what is never shown (marks of direction, zero width, tags), and separators of lines.
 */
const invisible = /[^\P{Cc}\t\n]|\p{Default_Ignorable_Code_Point}|\p{Cf}|[\u2028\u2029]/gu

/** The characters of a text that are read: twice what is shown, so that markup at its beginning leaves enough. */
const readCharacters = 2 * limits.mcp.messageCharacters
/** Those of all texts of an answer: markup that is removed must not let it read on and on. */
const readInAll = 2 * limits.mcp.answerCharacters

/** A text of another person, as a model may see it. */
interface CleanText {
  readonly text: string
  readonly isCut: boolean
}

/**
 * Returns a text without what a person would not see but a model reads: invisible characters, and markup that makes a
 * program load an address. It has at most `longest` characters. A text may have any length, so only its first
 * `readable` characters are read.
 */
function cleanText(text: string, longest: number, readable: number): CleanText {
  const read = firstCharacters(text, readable)
  const plain = withoutImages(withoutTags(read.text.replace(invisible, '')))
  const shown = firstCharacters(plain, longest)
  return { text: shown.text, isCut: read.isCut || shown.isCut }
}

/** Returns the first characters of a text, never half of one. */
function firstCharacters(text: string, longest: number): CleanText {
  // A character has at most two units, so this many units hold one more where there is one.
  const characters = Array.from(text.slice(0, 2 * longest + 1))
  if (characters.length <= longest) return { text, isCut: false }
  return { text: characters.slice(0, longest).join(''), isCut: true }
}

/** Names that hold what another person wrote end with this word. */
export const fromContact = 'FromContact'

/** Names of texts that are the organization's own, and cut like the others. */
const ownTexts: ReadonlySet<string> = new Set(['text', 'lastMessage', 'message', 'template', 'content'])

/**
 * Returns an answer whose texts are cleaned and cut. All texts together have at most 60,000 characters. An object with
 * a text that was cut gets `truncated: true`, as does the answer.
 */
export function cleanAnswer(answer: Record<string, unknown>): Record<string, unknown> {
  let left: number = limits.mcp.answerCharacters
  let leftToRead: number = readInAll
  let isCut = false

  function cleanString(text: string): string {
    const readable = Math.min(readCharacters, leftToRead)
    const cleaned = cleanText(text, Math.min(limits.mcp.messageCharacters, left), readable)
    leftToRead -= Math.min(text.length, readable)
    left -= cleaned.text.length
    if (cleaned.isCut) isCut = true
    return cleaned.text
  }

  function clean(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(clean)
    if (typeof value !== 'object' || value === null) return value
    const outer = isCut
    isCut = false
    const entries = Object.entries(value).map(([name, field]) => {
      const isText = typeof field === 'string' && (name.endsWith(fromContact) || ownTexts.has(name))
      return [name, isText ? cleanString(field) : clean(field)] as const
    })
    const cleaned = Object.fromEntries(entries)
    if (isCut) cleaned.truncated = true
    isCut ||= outer
    return cleaned
  }

  return clean(answer) as Record<string, unknown>
}
