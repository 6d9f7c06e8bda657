/** A piece of text that a person reads: a line of a comment, of a string or of Markdown. */
export interface Prose {
  readonly line: number
  readonly text: string
  /** True for the first line of a doc comment. */
  readonly startsDoc: boolean
}

const comment = String.raw`\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*`
const string = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\`(?:\\.|[^\`\\])*\``
const commentOrString = new RegExp(`${comment}|${string}`, 'g')

const address = /\bhttps?:\/\/\S+/g

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length

/** Returns the comments of a program, and its strings of more than one word: a single word is a value, not prose. */
export function proseOfCode(code: string): Prose[] {
  return [...code.matchAll(commentOrString)].flatMap(({ 0: found, index }) => {
    const isComment = found.startsWith('/')
    if (!isComment && !/\S\s+\S/.test(found.slice(1, -1))) return []
    const first = lineAt(code, index)
    const lines = (isComment ? found : found.slice(1, -1))
      .replace(/\$\{[^}]*\}/g, 'x')
      .replace(address, 'x')
      .split('\n')
    const texts = lines.map((line) => line.replace(isComment ? /^\s*(?:\/\*\*?|\*\/?|\/\/)\s?/ : '', '').trim())
    const start = found.startsWith('/**') ? texts.findIndex((text) => text !== '') : -1
    return texts.map((text, offset) => ({ line: first + offset, text, startsDoc: offset === start }))
  })
}

/** Returns the lines of a Markdown text without its code. */
export function proseOfMarkdown(text: string): Prose[] {
  const blank = (code: string) => code.replace(/[^\n]/g, '')
  const lines = text.replace(/^(?:```|~~~)[\s\S]*?^(?:```|~~~)$/gm, blank).split('\n')
  return lines.map((line, index) => ({
    line: index + 1,
    text: line.replace(/`[^`]*`/g, 'x').replace(address, 'x'),
    startsDoc: false,
  }))
}
