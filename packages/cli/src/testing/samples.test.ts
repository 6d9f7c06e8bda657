import { readdirSync, readFileSync } from 'node:fs'
import { openApiDocument } from '@msgctl/contract/openapi'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { commandRegistry } from '../command-registry.ts'
import { createProgram } from '../program.ts'

interface Operation {
  readonly operationId: string
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[]
}

const operations = Object.values(openApiDocument().paths ?? {}).flatMap((item) => Object.values(item) as Operation[])
const samples = operations.map(({ operationId, 'x-codeSamples': all }) => {
  return [operationId, all.find(({ label }) => label === 'msgctl')?.source ?? ''] as const
})

const guides = new URL('../../../../docs/use/guides/', import.meta.url)
/** The lines of msgctl in the guides, which have no variables. */
const guideLines = readdirSync(guides).flatMap(
  (file) => readFileSync(new URL(file, guides), 'utf8').match(/^msgctl .*$/gm) ?? [],
)

/** Splits a line of a shell into its words, up to its input. */
function wordsOf(source: string): string[] {
  const [line = ''] = source.split(` <<'END'\n`)
  const parts = line.replaceAll('\\\n', ' ').match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  return parts.map((part) => part.replace(/["']/g, ''))
}

const loaded = new Map(
  await Promise.all(commandRegistry.map(async (entry) => [entry.name, await entry.load()] as const)),
)

function apply(command: Command, change: (one: Command) => void): void {
  change(command)
  for (const inner of command.commands) apply(inner, change)
}

/** Parses a line as msgctl does. Throws what commander finds wrong. */
function parse(words: readonly string[]) {
  const { root, plan } = createProgram(commandRegistry, loaded)
  apply(root, (command) =>
    command.exitOverride((error) => {
      throw error
    }),
  )
  apply(root, (command) => command.configureOutput({ writeErr: () => {}, writeOut: () => {} }))
  root.parse([...words], { from: 'user' })
  return plan()
}

describe('the msgctl samples of the API reference', () => {
  it.each(samples)('are lines of msgctl: %s', (_id, source) => {
    const [program, ...words] = wordsOf(source)
    expect(program).toBe('msgctl')
    expect(parse(words), source).toBeDefined()
  })

  it.each(guideLines)('are valid in the guides: %s', (line) => {
    expect(parse(wordsOf(line).slice(1))).toBeDefined()
  })

  it.each([['send'], ['send', '+12025550100', 'hi', '--nosuch'], ['nosuch']])('would not pass as %s %s', (...words) => {
    expect(() => parse(words)).toThrow()
  })
})
