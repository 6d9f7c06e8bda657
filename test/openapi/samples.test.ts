import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
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

/** Returns what a shell finds wrong with texts. One process reads them all, each by itself. */
async function shellErrors(texts: readonly string[]): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-samples-'))
  try {
    for (const [index, text] of texts.entries()) writeFileSync(path.join(folder, `${index}.sh`), text)
    const readAll = 'for file in *.sh; do sh -n "$file" 2>&1 || echo "$file"; done'
    return (await promisify(execFile)('sh', ['-c', readAll], { cwd: folder })).stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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
    const texts = operations.flatMap((one) => ['curl', 'msgctl'].map((label) => sampleOf(one, label)))
    expect(await shellErrors(texts)).toBe('')
    expect(await shellErrors(["echo 'no end"])).toContain('0.sh')
  }, 60_000)
})
