import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { adminEndpoints, assistantEndpoints, contract, endpoints, errors } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { callsText, callTypesText, errorsText, recordsText, resourcesText } from './test/calls-text.ts'
import { fieldNamesText, retryClassesText, versionText } from './test/tables-text.ts'

const resources = Object.keys(contract) as (keyof typeof contract)[]
const files: Readonly<Record<string, string>> = {
  ...Object.fromEntries(resources.map((resource) => [`generated/${resource}.ts`, callsText(resource)])),
  'generated/records.ts': recordsText(),
  'generated/errors.ts': errorsText(),
  'generated/call-types.ts': callTypesText(),
  'generated/retry-classes.ts': retryClassesText(),
  'resources.ts': resourcesText('Resources'),
  'admin-resources.ts': resourcesText('AdminResources'),
  'generated/assistant-resources.ts': resourcesText('AssistantResources', './'),
  'generated/field-names.ts': fieldNamesText(endpoints),
  'generated/admin-field-names.ts': fieldNamesText(adminEndpoints),
  'generated/assistant-field-names.ts': fieldNamesText(assistantEndpoints),
  'generated/version.ts': versionText(),
}

/** Returns the texts as the formatter of this repository writes them. */
function formatted(texts: Readonly<Record<string, string>>): [string, string][] {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-calls-'))
  try {
    for (const [file, text] of Object.entries(texts)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      writeFileSync(path.join(folder, file), text)
    }
    const biome = path.join(root, 'node_modules/.bin/biome')
    const argv = ['format', '--write', '--vcs-enabled=false', `--config-path=${root}`, folder]
    const { stderr, status } = spawnSync(biome, argv, { encoding: 'utf8', cwd: root })
    if (status !== 0) throw new Error(stderr)
    return Object.keys(texts).map((file) => [file, readFileSync(path.join(folder, file), 'utf8')])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Editors show no comments for properties of a computed type, and the published types need no zod, so the interfaces
 * are generated files. `npm run generate` rewrites them; these tests compare them with the contract.
 */
describe('the types and comments in editors', () => {
  it.each(formatted(files))('match the contract in %s', async (file, text) => {
    await expect(text).toMatchFileSnapshot(file)
  })

  it('cover every resource of the contract, and no other has a file', () => {
    const found = readdirSync(new URL('generated/', import.meta.url))
    const others = Object.keys(files).filter((file) => file.startsWith('generated/'))
    expect(found.map((file) => `generated/${file}`).sort()).toEqual(others.sort())
  })

  it.each(Object.entries(files))('show whole hover texts in %s: a word with an at sign begins a tag', (_file, text) => {
    const tags = [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(([comment]) =>
      [...comment.replaceAll(/`[^`]*`/g, '').matchAll(/(?<!\w)@\w+/g)].map(([tag]) => tag),
    )
    expect(tags.filter((tag) => tag !== '@throws')).toEqual([])
  })

  it('do not ask for encoding that the client does by itself', () => {
    expect(Object.values(files).join('')).not.toMatch(/URL-encoded/)
  })

  it('give no code details that a bare envelope contradicts', () => {
    const text = errorsText()
    const types = [...text.matchAll(/^ {2}readonly ([A-Z_]+): ([\s\S]*?)\n(?= {2}\/\*\*|\})/gm)]
    expect(types).toHaveLength(Object.keys(errors).length)
    for (const [, code = '', type = ''] of types) {
      const { details } = errors[code as keyof typeof errors]
      const needsSome = details !== undefined && (!('shape' in details) || !details.safeParse({}).success)
      expect([code, type.endsWith('undefined')]).toEqual([code, !needsSome])
    }
  })

  it('show the default of strictVariables that the client has, and not that of the API', () => {
    const comments = (resource: 'reminders' | 'campaigns') =>
      [...callsText(resource).matchAll(/\/\*\*((?:(?!\/\*\*)[\s\S])*?)\*\/\n {2}readonly strictVariables/g)].map(
        ([, words = '']) => words.replaceAll(/[\s*]+/g, ' '),
      )
    const [created, imported, changed] = comments('reminders')
    expect([created, imported]).toEqual(Array(2).fill(expect.stringContaining('(default: true).')))
    expect(changed).toContain('(default: true where texts or values change).')
    // A preview reports what is missing, so there the client leaves it to the API.
    expect(comments('campaigns').slice(0, 2)).toEqual([
      expect.stringContaining('(default: true).'),
      expect.stringContaining('(default: false).'),
    ])
  })

  it('name the gate, limits and codes of a call, and explain its fields', () => {
    const text = callsText('alert')
    expect(text).toContain('Feature send: needs')
    expect(text).toContain('300 changes per minute')
    expect(text).toContain('@throws MessagingError NUMBER_NOT_ON_NETWORK, NO_SESSION_CONFIGURED')
    expect(text).toContain('  /** Your own reference, echoed in GET /messages and in every event of this message. */')
  })
})
