import type { BinaryNode } from 'baileys'

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
