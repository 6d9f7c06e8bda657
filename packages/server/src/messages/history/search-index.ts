/** What of a message is looked into by a search. */
export interface IndexedMessage {
  readonly id: string
  /** When it was accepted, as the database writes it: the digits behind the milliseconds count. */
  readonly createdAt: string
  readonly recipient: string
  readonly content: string
}

/** Some messages that follow each other in an organization's history, laid out for searching. */
export interface SearchBlock {
  /** Oldest first, one for each line of `haystack`. */
  readonly messages: readonly IndexedMessage[]
  /** A line for each message: the recipient, a unit separator, the folded text. */
  readonly searchText: string
  /** Every character and every pair of neighbours that stands in the haystack, as words. */
  readonly bigrams: string
}

/** Between the lines of a haystack and around the words of `pairs`: folded text never holds it. */
const separator = '\u001e'
const unitSeparator = '\u001f'

/** The pack of a stretch in which nothing is left. */
export const emptyBlock: SearchBlock = { messages: [], searchText: '', bigrams: '' }

/** A row of this size fills a page of the table, beside its header and key. */
const maxBlockBytes = 7600
const idBytes = 16
const maxMessages = 64

/** What people write between words, the common ones first: each becomes a capital letter, the last ones share one. */
const punctuation = ` .,-:/!?'"@()_#&%+=*;$<>[]{}\\^|~\``
const codes = new Map([...punctuation].map((mark, n) => [mark, String.fromCharCode(65 + Math.min(n, 25))]))
const plain = /^[ -~]*$/
/** Capital letters of ASCII are codes, which the trigrams of Postgres would take for small letters. */
const plainWord = /^(?:(?![A-Z])[\p{L}\p{N}])+$/u

/**
 * Text in the form in which it is searched: lower case, and everything of ASCII that is no letter or digit as a capital
 * letter. The trigrams of Postgres then span words and count punctuation, and no text means anything to LIKE.
 */
export function normalizeText(text: string): string {
  if (plain.test(text)) return text.toLowerCase().replace(/[^a-z0-9]/g, (mark) => codes.get(mark) ?? '')
  return Array.from(text, normalizeCharacter).join('')
}

function normalizeCharacter(character: string): string {
  if (character < '\u0080') return codes.get(character) ?? (character < ' ' ? 'A' : character.toLowerCase())
  // One character stays one, so that a part of a text folds to a part of the folded text.
  return String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0)
}

/** The word by which `pairs` knows one or two folded characters; anything but letters and digits is spelt by code points. */
export function bigramWord(characters: string): string {
  if (plainWord.test(characters)) return characters
  return Array.from(characters, (character) => `u${character.codePointAt(0)?.toString(16)}`).join('')
}

/**
 * Lays messages out in packs, in their order. The messages at the end that do not fill a pack are left out, unless
 * `keepRest` says otherwise.
 */
export function buildBlocks(messages: readonly IndexedMessage[], options: { keepRest: boolean }): SearchBlock[] {
  const packs: SearchBlock[] = []
  let open = openBlock()
  for (const message of messages) {
    const line = normalizeText(message.recipient) + unitSeparator + normalizeText(message.content)
    if (open.add(message, line)) continue
    packs.push(open.close())
    open = openBlock()
    open.add(message, line)
  }
  if (options.keepRest && !open.isEmpty()) packs.push(open.close())
  return packs
}

function openBlock() {
  const messages: IndexedMessage[] = []
  const lines: string[] = []
  const words = new Map<string, string>()
  let bytes = 0
  return {
    isEmpty: () => messages.length === 0,
    /** False, and nothing added, when the pack has no room; the first message always has. */
    add(message: IndexedMessage, line: string): boolean {
      const fresh = newWords(line, words)
      let more = Buffer.byteLength(line) + 1 + idBytes
      for (const word of fresh.values()) more += Buffer.byteLength(word) + 1
      if (messages.length > 0 && (messages.length === maxMessages || bytes + more > maxBlockBytes)) return false
      bytes += more
      messages.push(message)
      lines.push(line)
      for (const [characters, word] of fresh) words.set(characters, word)
      return true
    },
    close: (): SearchBlock => ({
      messages,
      searchText: lines.join(separator),
      bigrams: `${separator}${[...words.values()].join(separator)}${separator}`,
    }),
  }
}

/** The characters and pairs of neighbours of a line that are not among `known`, with their words. */
function newWords(line: string, known: ReadonlyMap<string, string>): Map<string, string> {
  const fresh = new Map<string, string>()
  let before = ''
  for (const character of line) {
    if (character === unitSeparator) before = ''
    else {
      if (!known.has(character)) fresh.set(character, bigramWord(character))
      if (before !== '') {
        const pair = before + character
        if (!known.has(pair) && !fresh.has(pair)) fresh.set(pair, bigramWord(pair))
      }
      before = character
    }
  }
  return fresh
}
