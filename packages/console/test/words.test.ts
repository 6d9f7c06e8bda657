import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

const source = path.join(import.meta.dirname, '../src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'))

/** The attributes that people read or hear. */
const readAttributes = new Set(['aria-label', 'alt', 'placeholder', 'title', 'label', 'hint'])

/** Words that are the same in every language: names, codes, addresses. */
const sameEverywhere = /^(?:Ctrl K|whsec_•+|https:\/\/example\.com\/events|\+1 202 555 \d{4})$/

interface Node {
  readonly type: string
  readonly value?: unknown
  readonly name?: { readonly name?: unknown }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}

/** Calls `visit` with every node of a syntax tree. */
function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) walk(each, visit)
  else if (typeof value === 'object' && value !== null) {
    if (isNode(value)) visit(value)
    for (const each of Object.values(value)) walk(each, visit)
  }
}

/** Returns the words that a component says without asking the words of its language. */
function literalWords(name: string, text: string): string[] {
  const found: string[] = []
  walk(parseSync(name, text).program, (node) => {
    if (node.type === 'JSXText' && typeof node.value === 'string') found.push(node.value.trim())
    if (node.type !== 'JSXAttribute' || !readAttributes.has(String(node.name?.name))) return
    const { value } = node
    if (isNode(value) && value.type === 'Literal') found.push(String(value.value))
  })
  return found.filter((words) => /\p{L}{2}/u.test(words) && !sameEverywhere.test(words))
}

describe('the words of the console', () => {
  it('are found where a component says them itself', () => {
    expect(literalWords('a.tsx', 'const a = <p title="Two words">Some text</p>').sort()).toEqual([
      'Some text',
      'Two words',
    ])
  })

  it.each(files)('come from the modules of the languages in %s', (name) => {
    expect(literalWords(name, readFileSync(path.join(source, name), 'utf8'))).toEqual([])
  })
})
