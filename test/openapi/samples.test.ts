import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openApiDocument } from '@msgctl/contract/openapi'
import { describe, expect, it } from 'vitest'
import { typeErrors } from './compile.ts'

interface Sample {
  readonly label: string
  readonly source: string
}

interface Operation {
  readonly operationId: string
  readonly 'x-codeSamples': readonly Sample[]
}

const operations = Object.values(openApiDocument().paths ?? {}).flatMap((item) => Object.values(item) as Operation[])

function sampleOf({ operationId, 'x-codeSamples': samples }: Operation, label: string): string {
  const found = samples.find((sample) => sample.label === label)
  if (!found) throw new Error(`${operationId} has no sample for ${label}`)
  return found.source
}

describe('the code samples of the OpenAPI document', () => {
  it('are there in three forms for every operation', () => {
    expect(operations.length).toBeGreaterThan(80)
    for (const { operationId, 'x-codeSamples': samples } of operations) {
      expect(
        samples.map(({ label }) => label),
        operationId,
      ).toEqual(['curl', 'TypeScript', 'msgctl'])
    }
  })

  it('compile strictly with our client; a wrong field does not', async () => {
    const programs = Object.fromEntries(operations.map((one) => [one.operationId, sampleOf(one, 'TypeScript')]))
    expect(await typeErrors('samples', programs)).toBe('')
    const wrong = (programs['alert.send'] ?? '').replace('message:', 'text:')
    expect(await typeErrors('samples', { wrong })).toContain("'text' does not exist")
  }, 120_000)

  it('are valid lines of a shell', async () => {
    for (const operation of operations) {
      for (const label of ['curl', 'msgctl']) await promisify(execFile)('sh', ['-n', '-c', sampleOf(operation, label)])
    }
  }, 60_000)
})
