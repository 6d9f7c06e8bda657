import { readFileSync } from 'node:fs'
import { errorTable } from '@msgctl/contract/error-table'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script, whose types this project does not read.
import { renderReference } from '../../scripts/reference.mjs'
import { exitCodes } from '../errors/exit-codes.ts'
import { runnable, wholeProgram } from './command-tree.ts'

const root = await wholeProgram()
const reference: string = renderReference({ root, exitCodes, errorTable })

describe('docs/use/msgctl.md', () => {
  it('matches the program; npm run generate writes it', () => {
    const stored = readFileSync(new URL('../../../../docs/use/msgctl.md', import.meta.url), 'utf8')
    expect(stored).toBe(reference)
  })

  it('contains every command with its options and an example', () => {
    for (const [name, command] of runnable(root)) {
      const [, section = ''] = reference.split(`# msgctl ${name}\n`)
      const own = section.split(/^#+ /m)[0] ?? ''
      expect(own, name).toMatch(/^ {4}.*msgctl /m)
      for (const { flags, hidden } of command.options)
        if (!hidden) expect(own, name).toContain(flags.replaceAll('|', '\\|'))
    }
  })

  it('names every exit code and every error of the API', () => {
    for (const code of Object.values(exitCodes)) expect(reference).toMatch(new RegExp(`^\\| ${code} \\| [a-zC]`, 'm'))
    for (const error of Object.keys(errorTable)) expect(reference).toContain(error)
  })
})
