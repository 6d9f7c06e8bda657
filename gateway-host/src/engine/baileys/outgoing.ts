import type { ILogger } from 'baileys/lib/Utils/logger.js'
import type { Stanza } from '../../trace/skeleton.ts'
import { silentLogger } from './silent-logger.ts'

const name = /^[\w:.-]{1,60}$/

/** The first line of an element, or the only one. */
interface Element {
  readonly tag: string
  readonly attrs: Record<string, string>
  readonly isClosed: boolean
}

/** Reads a line as an element: a name, then attributes in single quotes. Null for a line in another form. */
function readElement(line: string): Element | null {
  if (!line.startsWith('<') || !line.endsWith('>')) return null
  const isClosed = line.endsWith('/>')
  const [tag = '', ...rest] = line.slice(1, isClosed ? -2 : -1).split(' ')
  const attrs = readAttributes(rest.join(' ').trim())
  return name.test(tag) && attrs ? { tag, attrs, isClosed } : null
}

function readAttributes(text: string): Record<string, string> | null {
  const parts = text.split("'")
  // A name comes before each value, and nothing after the last one.
  if (parts.pop() !== '' || parts.length % 2 !== 0) return null
  const attrs: Record<string, string> = {}
  for (let at = 0; at < parts.length; at += 2) {
    const [before = '', value = ''] = parts.slice(at, at + 2)
    const key = before.trim().slice(0, -1)
    if (!before.endsWith('=') || !name.test(key)) return null
    attrs[key] = value
  }
  return attrs
}

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
    const element = readElement(line)
    if (element) {
      const { isClosed, ...found } = element
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
