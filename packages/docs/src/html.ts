/** A piece of HTML that is written into a page as it is. */
export interface Html {
  readonly html: string
}

type Part = string | number | Html | undefined | false | readonly Part[]

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Returns a text in which no character has a meaning in HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}

/** Marks a text as HTML. Only for texts that this program made. */
export const raw = (html: string): Html => ({ html })

function write(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'html' in part ? part.html : part.map(write).join('')
}

/** Joins HTML with values: texts are escaped, lists are joined, undefined and false are left out. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return raw(strings.map((text, index) => text + write(parts[index])).join(''))
}
