import type { BinaryNode } from 'baileys'

/** The address of the network itself. */
export const serverJid = 's.whatsapp.net'

/** Makes a stanza. */
export function node(tag: string, attrs: Record<string, string> = {}, content?: BinaryNode['content']): BinaryNode {
  return content === undefined ? { tag, attrs } : { tag, attrs, content }
}

/** Returns the children of a stanza with this tag; all of them without one. */
export function children(parent: BinaryNode | undefined, tag?: string): BinaryNode[] {
  const all = Array.isArray(parent?.content) ? parent.content : []
  return tag === undefined ? all : all.filter((one) => one.tag === tag)
}

/** Returns the first child with this tag. */
export function child(parent: BinaryNode | undefined, tag: string): BinaryNode | undefined {
  return children(parent, tag)[0]
}

/** Returns the bytes of a stanza; none when it has no content of bytes. */
export function bytesOf(found: BinaryNode | undefined): Buffer {
  const { content } = found ?? {}
  return typeof content === 'string' || content instanceof Uint8Array ? Buffer.from(content) : Buffer.alloc(0)
}

/** Returns an attribute that must be there. Throws an Error without it. */
export function attribute(stanza: BinaryNode, name: string): string {
  const value = stanza.attrs[name]
  if (value === undefined) throw new Error(`a stanza <${stanza.tag}> came without the attribute ${name}`)
  return value
}

/** Returns the time as stanzas write it, in whole seconds. */
export function seconds(): string {
  return String(Math.floor(Date.now() / 1000))
}
