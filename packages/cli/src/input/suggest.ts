/** Words for the same action. A verb of the same line is suggested before one that is only spelt alike. */
const synonyms: readonly (readonly string[])[] = [
  ['show', 'get', 'status', 'info', 'view', 'describe', 'display', 'inspect', 'stats', 'account', 'whoami', 'me'],
  ['list', 'ls', 'all', 'search', 'find', 'query', 'deliveries', 'history', 'log', 'logs', 'connections'],
  ['recipients', 'results', 'people'],
  ['delete', 'remove', 'rm', 'destroy', 'drop'],
  ['create', 'add', 'new', 'generate', 'make', 'import'],
  ['edit', 'update', 'change', 'modify', 'rename'],
  ['send', 'start', 'launch', 'run'],
  ['cancel', 'abort'],
  ['tail', 'follow', 'stream', 'listen', 'watch'],
  ['login', 'signin', 'auth'],
  ['logout', 'signout', 'unlink', 'disconnect'],
  ['numbers', 'sessions', 'session', 'devices', 'phones'],
  ['webhook', 'webhooks', 'hooks'],
  ['messages', 'message', 'msgs', 'msg', 'sms', 'texts'],
  ['keys', 'key', 'tokens'],
  ['validate', 'check', 'lookup'],
]

/** Verbs that people type without their noun. All of them read, or are what the word says. */
const nouns: Readonly<Record<string, string>> = {
  status: 'numbers status',
  qr: 'numbers link',
  link: 'numbers link',
  pair: 'numbers pair',
  list: 'messages list',
  ls: 'messages list',
  queue: 'messages queue',
  inbox: 'chats unread',
  unread: 'chats unread',
  reply: 'chats reply',
  deliveries: 'webhook deliveries',
  replay: 'webhook replay',
  logs: 'events tail',
  log: 'events tail',
  whoami: 'account me',
}

/** Words that only read. A typo in one of them never leads to a command that changes something. */
const reading = new Set([
  ...(synonyms[0] ?? []),
  ...(synonyms[1] ?? []),
  ...(synonyms[2] ?? []),
  ...['count', 'explain', 'help', 'limits', 'path', 'preview', 'tail', 'transcript', 'unread', 'usage', 'watch'],
  ...['follow', 'stream', 'listen', 'connections', 'completion', 'validate', 'check', 'lookup', 'read'],
])

/** The number of insertions, deletions, replacements and swaps of neighbours between two words. */
function distance(left: string, right: string): number {
  const rows: number[][] = Array.from({ length: left.length + 1 }, (_, i) => [i])
  const at = (i: number, j: number) => rows[i]?.[j] ?? Math.max(i, j)
  for (let i = 0; i <= left.length; i++) {
    for (let j = 0; j <= right.length; j++) {
      if (i === 0 || j === 0) {
        ;(rows[i] as number[])[j] = i + j
        continue
      }
      const cost = left[i - 1] === right[j - 1] ? 0 : 1
      const swapped =
        i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1] ? at(i - 2, j - 2) + 1 : Infinity
      ;(rows[i] as number[])[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost, swapped)
    }
  }
  return at(left.length, right.length)
}

function nearest(typed: string, words: readonly string[]): string | undefined {
  const most = typed.length >= 6 ? 2 : 1
  const [best] = words
    .map((word) => ({ word, apart: distance(typed, word) }))
    .filter(({ apart }) => apart <= most)
    .sort((a, b) => a.apart - b.apart)
  return best?.word
}

/**
 * Returns the command of `words` that the user may have meant, or undefined: among the nouns, the noun of a verb; then
 * one with the same meaning, then one that is spelt alike. A reading word never leads to a changing one.
 */
export function suggestCommand(typed: string, words: readonly string[]): string | undefined {
  if (words.includes('numbers') && Object.hasOwn(nouns, typed)) return nouns[typed]
  const same = synonyms.filter((line) => line.includes(typed)).flat()
  const meant = words.find((word) => same.includes(word))
  if (meant !== undefined) return meant
  // A misspelt synonym, such as `delte`.
  const known = nearest(typed, [...new Set([...words, ...synonyms.flat()])])
  if (known === undefined) return undefined
  const found = words.includes(known)
    ? known
    : words.find((word) => synonyms.some((s) => s.includes(known) && s.includes(word)))
  return found !== undefined && (!reading.has(typed) || reading.has(found)) ? found : undefined
}

/** Returns the option of `options` that is spelt like `typed`, or undefined. */
export function suggestOption(typed: string, options: readonly string[]): string | undefined {
  return nearest(typed, options)
}
