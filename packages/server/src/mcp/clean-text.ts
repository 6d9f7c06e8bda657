import { limits } from '@msgctl/contract'

/** Controls but tab and line feed, what is never shown (marks of direction, zero width, tags), and separators of lines. */
const invisible = /[^\P{Cc}\t\n]|\p{Default_Ignorable_Code_Point}|\p{Cf}|[\u2028\u2029]/gu
const markdownImage = /!\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g
const htmlTag = /<\/?[a-z!][^>]*>/gi

/** A text of another person, as a model may see it. */
interface CleanText {
  readonly text: string
  readonly isCut: boolean
}

/**
 * Returns a text without what a person would not see but a model reads: invisible characters, and markup that makes a
 * program load an address. It has at most 2,000 characters.
 */
function cleanText(text: string, longest: number = limits.mcp.messageCharacters): CleanText {
  const plain = withoutMarkup(text.replace(invisible, ''))
  const characters = Array.from(plain)
  if (characters.length <= longest) return { text: plain, isCut: false }
  return { text: characters.slice(0, longest).join(''), isCut: true }
}

/** Removes markup until there is none: what stands around a removed tag can form another one. */
function withoutMarkup(text: string): string {
  const without = text.replace(markdownImage, '$1').replace(htmlTag, '')
  return without === text ? text : withoutMarkup(without)
}

/** Names that hold what another person wrote end with this word. */
export const fromContact = 'FromContact'

/** Names of texts that are the organization's own, and cut like the others. */
const ownTexts: ReadonlySet<string> = new Set(['text', 'lastMessage', 'message', 'template', 'content'])

/**
 * Returns an answer whose texts are cleaned and cut. All texts together have at most 60,000 characters. An object with a
 * text that was cut gets `truncated: true`, as does the answer.
 */
export function cleanAnswer(answer: Record<string, unknown>): Record<string, unknown> {
  let left: number = limits.mcp.answerCharacters
  let isCut = false

  function cleanString(text: string): string {
    const cleaned = cleanText(text, Math.min(limits.mcp.messageCharacters, left))
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
