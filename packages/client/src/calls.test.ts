import { readdirSync } from 'node:fs'
import { contract } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { callsText, resourcesText } from './test/calls-text.ts'

const resources = Object.keys(contract) as (keyof typeof contract)[]

/**
 * Editors show no comments of properties that a type computes, so the interfaces stand in files. `npm run calls` writes
 * them anew; these tests hold them to the contract.
 */
describe('what editors show', () => {
  it.each(resources)('of client.%s is what the contract says', async (resource) => {
    await expect(callsText(resource)).toMatchFileSnapshot(`generated/${resource}.ts`)
  })

  it('of the client is every resource of the contract, and no other has a file', async () => {
    await expect(resourcesText()).toMatchFileSnapshot('resources.ts')
    const files = readdirSync(new URL('generated/', import.meta.url))
    expect(files.sort()).toEqual(resources.map((resource) => `${resource}.ts`).sort())
  })

  it('names gate, limits and codes of every call', () => {
    expect(callsText('alert')).toContain('Feature send: needs')
    expect(callsText('alert')).toContain('300 changes a minute')
    expect(callsText('alert')).toContain('@throws MessagingError NUMBER_NOT_ON_NETWORK, NO_SESSION_CONFIGURED')
  })
})
