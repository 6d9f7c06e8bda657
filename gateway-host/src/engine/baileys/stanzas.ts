import type { BinaryNode } from 'baileys'

/** Makes a stanza. */
export function stanza(tag: string, attrs: Record<string, string>, content?: BinaryNode['content']): BinaryNode {
  return content === undefined ? { tag, attrs } : { tag, attrs, content }
}

/** Returns a version in the form of the library. */
export function wireVersion(version: string): [number, number, number] {
  const [major = 0, minor = 0, revision = 0] = version.split('.').map(Number)
  return [major, minor, revision]
}

/** Remembers to which stanza a ciphertext belongs, as long as the library holds it. */
export class Stanzas {
  readonly #attrs = new WeakMap<Uint8Array, Readonly<Record<string, string>>>()

  add(stanza: BinaryNode): void {
    for (const part of Array.isArray(stanza.content) ? stanza.content : []) {
      if (part.tag === 'enc' && part.content instanceof Uint8Array) this.#attrs.set(part.content, stanza.attrs)
    }
  }

  attrsOf(ciphertext: Uint8Array): Readonly<Record<string, string>> | undefined {
    return this.#attrs.get(ciphertext)
  }
}
