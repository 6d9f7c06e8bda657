import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type BinaryNode, decodeBinaryNode, encodeBinaryNode } from 'baileys'
import { describe, expect, it } from 'vitest'

/** A node as the vectors write it: bytes are an object with hex. */
interface WrittenNode {
  readonly tag: string
  readonly attrs: Record<string, string>
  readonly content?: string | readonly WrittenNode[] | { readonly $bytes: string }
}

interface Vector {
  readonly name: string
  readonly node: WrittenNode
  /** What follows the byte of flags in a frame. */
  readonly hex: string
}

const lines = readFileSync(path.join(import.meta.dirname, 'vectors/codec-golden.jsonl'), 'utf8')
  .trim()
  .split('\n')
const vectors = lines.map((line) => JSON.parse(line) as Vector)
const withoutCompression = Buffer.from([0])

/** Addresses that the network does not send, which libraries treat in different ways: names of attributes. */
const malformed = ['deviceZero', 'colonNoDigit', 'multiAt', 'trailingAt', 'leadingAt']
/** An empty list of children is no content for our codec. Both mean the same. */
const emptyList = 'empty attrs empty content list'

function toNode({ tag, attrs, content }: WrittenNode): BinaryNode {
  if (content === undefined) return { tag, attrs }
  if (typeof content === 'string') return { tag, attrs, content: Buffer.from(content) }
  if ('$bytes' in content) return { tag, attrs, content: Buffer.from(content.$bytes, 'hex') }
  return { tag, attrs, content: content.map(toNode) }
}

const encode = (node: BinaryNode) => Buffer.from(encodeBinaryNode(node)).subarray(1)
const decode = (bytes: Uint8Array) => decodeBinaryNode(Buffer.concat([withoutCompression, bytes]))

function wellFormed(node: BinaryNode): BinaryNode {
  const attrs = Object.fromEntries(Object.entries(node.attrs).filter(([name]) => !malformed.includes(name)))
  return { ...node, attrs }
}

describe('the binary codec agrees with the vectors of another client', () => {
  it.each(vectors)('$name: reads it', async ({ node, hex }) => {
    expect(wellFormed(await decode(Buffer.from(hex, 'hex')))).toEqual(wellFormed(toNode(node)))
  })

  it.each(vectors.filter(({ name }) => name !== emptyList))('$name: writes it', async ({ node, hex }) => {
    const written = toNode(node)
    const known = wellFormed(written)
    const isWhole = Object.keys(known.attrs).length === Object.keys(written.attrs).length
    // Without the malformed addresses the frame is shorter, so it is read back.
    if (isWhole) expect(encode(written).toString('hex')).toBe(hex)
    else expect(await decode(encode(known))).toEqual(known)
  })

  it('writes each kind of address as the other client does', () => {
    const { node, hex = '' } = vectors.find(({ name }) => name === 'jids all domain types') ?? {}
    const addresses = Object.entries(node?.attrs ?? {}).filter(([name]) => !malformed.includes(name))
    expect(addresses).toHaveLength(14)
    for (const [name, address] of addresses) {
      // After the size of the list and the tag.
      expect(hex).toContain(
        encode({ tag: 'message', attrs: { [name]: address } })
          .toString('hex')
          .slice(6),
      )
    }
  })
})
