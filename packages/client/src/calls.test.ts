import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { contract } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import {
  callsText,
  callTypesText,
  errorsText,
  recordsText,
  resourcesText,
  retryClassesText,
} from './test/calls-text.ts'

const resources = Object.keys(contract) as (keyof typeof contract)[]
const biome = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url))

/** Returns a text as the formatter of this repository writes it. */
function formatted(text: string, file: string): string {
  const { stdout, stderr, status } = spawnSync(biome, ['format', `--stdin-file-path=packages/client/src/${file}`], {
    input: text,
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/**
 * Editors show no comments for properties of a computed type, and the published types need no zod, so the interfaces
 * are generated files. `npm run generate` rewrites them; these tests compare them with the contract.
 */
describe('the types and comments in editors', () => {
  it.each(resources)('match the contract for client.%s', async (resource) => {
    const file = `generated/${resource}.ts`
    await expect(formatted(callsText(resource), file)).toMatchFileSnapshot(file)
  })

  it.each([
    ['generated/records.ts', recordsText],
    ['generated/errors.ts', errorsText],
    ['generated/call-types.ts', callTypesText],
    ['generated/retry-classes.ts', retryClassesText],
    ['resources.ts', () => resourcesText('Resources')],
    ['admin-resources.ts', () => resourcesText('AdminResources')],
  ])('match the contract in %s', async (file, text) => {
    await expect(formatted(text(), file)).toMatchFileSnapshot(file)
  })

  it('cover every resource of the contract, and no other has a file', () => {
    const files = readdirSync(new URL('generated/', import.meta.url))
    const others = ['call-types.ts', 'errors.ts', 'records.ts', 'retry-classes.ts']
    expect(files.sort()).toEqual([...resources.map((resource) => `${resource}.ts`), ...others].sort())
  })

  it('name the gate, limits and codes of a call, and explain its fields', () => {
    const text = callsText('alert')
    expect(text).toContain('Feature send: needs')
    expect(text).toContain('300 changes per minute')
    expect(text).toContain('@throws MessagingError NUMBER_NOT_ON_NETWORK, NO_SESSION_CONFIGURED')
    expect(text).toContain('  /** Your own reference, echoed in GET /messages and in every event of this message. */')
  })
})
