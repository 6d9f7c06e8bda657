import type { ILogger } from 'baileys/lib/Utils/logger.js'
import type { Stanza } from '../../trace/skeleton.ts'
import { silentLogger } from './silent-logger.ts'

const element = /^<([\w:.-]+) ?((?:[\w:.-]+='[^']*' ?)*)(\/?)>$/
const attribute = /([\w:.-]+)='([^']*)'/g

interface Open {
  readonly tag: string
  readonly attrs: Record<string, string>
  readonly children: Stanza[]
  /** The lines of a content that is no list of stanzas. */
  text: string | null
}

/**
 * Reads the text of a stanza that the library writes to its log: elements with one tag a line, contents of bytes in
 * hex. A line in another form is content, of which only the length counts. Returns a stanza without a name for a text
 * that cannot be read.
 */
export function readStanza(xml: string): Stanza {
  const open: Open[] = []
  for (const line of xml.split('\n').map((one) => one.replace(/^\t+/, ''))) {
    const parent = open.at(-1)
    const [matched, tag = '', attrs = '', isClosed] = element.exec(line) ?? []
    if (matched !== undefined) {
      const found = { tag, attrs: Object.fromEntries([...attrs.matchAll(attribute)].map(([, k, v]) => [k, v])) }
      if (!isClosed) open.push({ ...found, children: [], text: null })
      else if (parent) parent.children.push(found)
      else return found
    } else if (parent && line === `</${parent.tag}>`) {
      open.pop()
      const stanza = close(parent)
      const outer = open.at(-1)
      if (!outer) return stanza
      outer.children.push(stanza)
    } else if (parent) parent.text = parent.text === null ? line : `${parent.text}\n${line}`
  }
  return { tag: '?', attrs: {} }
}

function close({ tag, attrs, children, text }: Open): Stanza {
  if (text === null) return { tag, attrs, content: children }
  const isHex = text.length % 2 === 0 && /^[0-9a-f]*$/.test(text)
  return { tag, attrs, content: isHex ? Buffer.from(text, 'hex') : text }
}

/**
 * Returns a logger that passes on the stanzas that the library sends, and drops every other line. The library has no
 * other place at which all of them can be seen before they are encrypted.
 */
export function outgoingLogger(onStanza: (stanza: Stanza) => void): ILogger {
  return {
    ...silentLogger,
    level: 'trace',
    trace(line: unknown) {
      const { xml, msg } = (line ?? {}) as { xml?: unknown; msg?: unknown }
      if (msg === 'xml send' && typeof xml === 'string') onStanza(readStanza(xml))
    },
  }
}
