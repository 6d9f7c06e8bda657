import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { promisify } from 'node:util'
import { openApiDocument } from '@msgctl/contract/openapi'
import { describe, expect, it } from 'vitest'

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

const folder = path.join(import.meta.dirname, 'generated/samples')
const typescript = createRequire(path.join(import.meta.dirname, '../../package.json')).resolve(
  'typescript/package.json',
)

/** Returns what the compiler says about programs, by the name of their file. */
async function typeErrors(programs: Readonly<Record<string, string>>): Promise<string> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(programs)) await writeFile(path.join(folder, `${name}.ts`), text)
  const compilerOptions = {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    lib: ['es2023', 'dom'],
    customConditions: ['@msgctl/source'],
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
  }
  const project = { extends: '../../../../tsconfig.base.json', compilerOptions, include: ['*.ts'] }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(project))
  try {
    await promisify(execFile)(process.execPath, [path.join(typescript, '../bin/tsc'), '-p', folder])
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
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
    expect(await typeErrors(programs)).toBe('')
    const wrong = (programs['alert.send'] ?? '').replace('message:', 'text:')
    expect(await typeErrors({ wrong })).toContain("'text' does not exist")
  }, 120_000)

  it('are valid lines of a shell', async () => {
    for (const operation of operations) {
      for (const label of ['curl', 'msgctl']) await promisify(execFile)('sh', ['-n', '-c', sampleOf(operation, label)])
    }
  }, 60_000)
})
