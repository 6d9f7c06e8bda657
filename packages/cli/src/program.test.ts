import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { commandRegistry } from './command-registry.ts'
import { version } from './host.ts'
import { createProgram } from './program.ts'
import { runnable, wholeProgram } from './testing/command-tree.ts'

const root = await wholeProgram()

/** What `--help` prints. */
function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp()
  return text
}

const commands = [...runnable(root)]

describe('every command', () => {
  it('is seen by these tests', () => {
    expect(commands.length).toBeGreaterThan(85)
  })

  it.each(commands)('%s has an example of its own in its help, and says what it does', (name, command) => {
    const help = helpOf(command)
    expect(help).toMatch(/Examples:\n {2}\$ /)
    expect(help).toContain(name.split(' ').slice(0, 2).join(' '))
    expect(command.description()).toMatch(/^[a-z].*[^.]$/)
  })

  it.each(commands)('%s takes no key on the command line, where other users could see it', (_name, command) => {
    const flags = [...command.options, ...root.options].map(({ long }) => long)
    expect(flags.filter((flag) => /^--(api-?key|key|token|password|secret)$/.test(flag ?? ''))).toEqual([])
  })

  it('has the version of the package', () => {
    const { version: stated } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(version).toBe(stated)
  })
})

describe('the first help', () => {
  it('names every entry without loading one', () => {
    const { root: bare } = createProgram(commandRegistry, new Map())
    const help = helpOf(bare)
    for (const { name, summary, hidden } of commandRegistry) expect(help.includes(summary), name).toBe(hidden !== true)
  })
})

describe('help on 80 columns', () => {
  it.each(commands)('%s has no line that a terminal would break within a word', (_name, command) => {
    let text = ''
    const writeOut = (part: string) => {
      text += part
    }
    command.configureOutput({ writeOut, getOutHelpWidth: () => 80 }).outputHelp()
    const beforeExamples = text.split('\nExamples:')[0] ?? ''
    expect(beforeExamples.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})
