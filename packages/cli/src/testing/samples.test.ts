import { readdirSync, readFileSync } from 'node:fs'
import { openApiDocument } from '@msgctl/contract/openapi'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { commandRegistry } from '../command-registry.ts'
import { createProgram, loadCommands } from '../program.ts'

interface Operation {
  readonly operationId: string
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[]
}

const operations = Object.values(openApiDocument().paths ?? {}).flatMap((item) => Object.values(item) as Operation[])
const samples = operations.map(({ operationId, 'x-codeSamples': all }) => {
  return [operationId, all.find(({ label }) => label === 'msgctl')?.source ?? ''] as const
})

const root = new URL('../../../../', import.meta.url)
const pages = ['README.md', 'docs', 'packages/cli/README.md', 'packages/client/README.md', 'examples']
  .flatMap((name) => {
    if (name.endsWith('.md')) return [name]
    return readdirSync(new URL(name, root), { recursive: true, encoding: 'utf8' }).map((file) => `${name}/${file}`)
  })
  .filter((file) => file.endsWith('.md') && !file.startsWith('docs/build/'))

/** The code of a page: its blocks between fences, and its lines that are indented as code. */
function codeOf(page: string): string[] {
  const [...blocks] = page.matchAll(/^ *```(?:sh|console)\n([\s\S]*?)^ *```/gm)
  const indented = page.replace(/^ *```[\s\S]*?^ *```/gm, '').match(/^ {4}\S.*$/gm) ?? []
  return [...blocks.map(([, text = '']) => text), ...indented]
}

/** The commands of msgctl in a text of a shell: also behind a pipe, in `$(...)` and after variables. */
function commandsIn(code: string): string[] {
  const text = code.replaceAll(/\\\n\s*/g, ' ').replaceAll(/(^|\s)#.*$/gm, '')
  // What is quoted may contain anything.
  const parts = text.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|[^"'|;()&\n])+/g) ?? []
  const command = /^(?:\$ )?(?:[A-Z_]+=\S* )*(?:npx )?(msgctl .*)$/
  // Where input comes from and output goes to is no argument.
  return parts.flatMap(
    (part) =>
      part
        .trim()
        .match(command)?.[1]
        ?.replace(/ [<>] .*$/, '') ?? [],
  )
}

const pageLines = pages.flatMap((file) =>
  codeOf(readFileSync(new URL(file, root), 'utf8'))
    .flatMap(commandsIn)
    .map((line) => [file, line] as const),
)

/** Splits a line of a shell into its words, up to its input. */
function wordsOf(source: string): string[] {
  const [line = ''] = source.split(` <<'END'\n`)
  const parts = line.replaceAll('\\\n', ' ').match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  return parts.map((part) => part.replace(/["']/g, ''))
}

const loaded = await loadCommands(commandRegistry)

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

describe('the lines of msgctl in the API reference and on all pages', () => {
  it.each(samples)('are lines of msgctl: %s', (_id, source) => {
    const [program, ...words] = wordsOf(source)
    expect(program).toBe('msgctl')
    expect(parse(words), source).toBeDefined()
  })

  it('are found on many pages', () => {
    expect(pageLines.length).toBeGreaterThan(200)
    expect(new Set(pageLines.map(([file]) => file)).size).toBeGreaterThan(10)
  })

  it.each(pageLines)('are valid in %s: %s', (_file, line) => {
    expect(parse(wordsOf(line).slice(1))).toBeDefined()
  })

  it.each([['send'], ['send', '+12025550100', 'hi', '--nosuch'], ['nosuch']])('would not pass as %s %s', (...words) => {
    expect(() => parse(words)).toThrow()
  })
})
