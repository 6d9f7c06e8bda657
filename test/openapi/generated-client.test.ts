import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeNumber, makeOrganization } from '../../packages/server/src/testing/make.ts'
import { startTestServer } from '../../packages/server/src/testing/start-server.ts'

const here = path.dirname(fileURLToPath(import.meta.url))
const server = await startTestServer()
const organization = await makeOrganization(server)
await makeNumber(server, organization)

/** What the compiler of the product says about the quick start and the wrong calls. */
async function typeErrors(): Promise<string> {
  const typescript = createRequire(path.join(here, '../../package.json')).resolve('typescript/package.json')
  try {
    await promisify(execFile)(process.execPath, [path.join(typescript, '../bin/tsc'), '-p', here])
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

describe('a client that openapi-typescript makes from the document of a running service', () => {
  beforeAll(async () => {
    const document = await (await fetch(`${server.baseUrl}/openapi.json`)).text()
    await mkdir(path.join(here, 'generated'), { recursive: true })
    await writeFile(path.join(here, 'generated/api.ts'), astToString(await openapiTypescript(document)))
  }, 60_000)

  it('sends, waits until it is read, lists, and gets the code of an error', async () => {
    // Its types are made by this test, so it is not compiled with the rest.
    const { quickStart } = await import(new URL('quick-start.ts', import.meta.url).href)
    const seen = await quickStart(server.baseUrl, organization.apiKey, '+12025550100', '+12025550101')
    expect(seen).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'read',
      listed: [seen.messageId],
      refusal: 'NUMBER_NOT_ON_NETWORK',
    })
  })

  it('is typed: the quick start compiles strictly, and calls against the document are refused', async () => {
    expect(await typeErrors()).toBe('')
  }, 60_000)
})
