import { readdirSync } from 'node:fs'
import { contract } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { callsText, resourcesText } from './test/calls-text.ts'

const resources = Object.keys(contract) as (keyof typeof contract)[]

/**
 * Editors show no comments for properties of a computed type, so the interfaces are generated files. `npm run calls`
 * rewrites them; these tests compare them with the contract.
 */
describe('the comments in editors', () => {
  it.each(resources)('match the contract for client.%s', async (resource) => {
    await expect(callsText(resource)).toMatchFileSnapshot(`generated/${resource}.ts`)
  })

  it('cover every resource of the contract, and no other has a file', async () => {
    await expect(resourcesText('Resources')).toMatchFileSnapshot('resources.ts')
    await expect(resourcesText('AdminResources')).toMatchFileSnapshot('admin-resources.ts')
    const files = readdirSync(new URL('generated/', import.meta.url))
    expect(files.sort()).toEqual(resources.map((resource) => `${resource}.ts`).sort())
  })

  it('name the gate, limits and codes of a call', () => {
    expect(callsText('alert')).toContain('Feature send: needs')
    expect(callsText('alert')).toContain('300 changes per minute')
    expect(callsText('alert')).toContain('@throws MessagingError NUMBER_NOT_ON_NETWORK, NO_SESSION_CONFIGURED')
  })
})
