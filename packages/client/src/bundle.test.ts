import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { endpoints } from '@msgctl/contract'
import { type OutputChunk, rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { fieldNames } from './generated/field-names.ts'
import type { TransportRequest } from './transport.ts'

const source = new URL('.', import.meta.url)
const shipped = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /^(?!test\b).*\.ts$/.test(name) && !/\.test(-d)?\.ts$/.test(name),
)

/** The calls that every application loads; the others have a bound of their own. */
const everywhere: readonly string[] = ['alert', 'messages', 'events']

/** Returns the table of these resources with the others empty. */
function only<Table extends object>(table: Table): object {
  return Object.fromEntries(
    Object.entries(table).map(([name, value]) => [name, everywhere.includes(name) ? value : {}]),
  )
}

/** Replaces what only further calls load: their rows, their traits, and the code for files. */
function withoutFurtherCalls(id: string): string | null {
  if (id.endsWith('/contract/src/generated/endpoints.ts'))
    return `export const endpoints = ${JSON.stringify(only(endpoints))}`
  if (id.endsWith('/generated/field-names.ts')) return `export const fieldNames = ${JSON.stringify(only(fieldNames))}`
  if (id.endsWith('/calls/files.ts')) return 'export const fileIn = () => {}, fileFrom = () => {}'
  if (!id.endsWith('/contract/src/generated/traits.ts')) return null
  const kept = Object.values(only(endpoints)).flatMap((table) => Object.values<string>(table))
  const rows = readFileSync(id, 'utf8').split('\n')
  return rows
    .filter((row) => !/^ {2}'[A-Z]+ \//.test(row) || kept.some((each) => row.startsWith(`  '${each}'`)))
    .join('\n')
}

/** Returns the bundle of a program that imports all of one entry. */
async function bundled(
  format: 'esm' | 'iife',
  entry = 'index.ts',
  load: (id: string) => string | null = () => null,
): Promise<OutputChunk> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(entry, source)),
    platform: 'neutral',
    resolve: { conditionNames: ['@msgctl/source', 'import', 'default'] },
    plugins: [{ name: 'replace', load }],
  })
  const { output } = await bundle.generate({ format, name: 'bundle', minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  return output[0]
}

describe('the bundle', () => {
  it('holds only the client and two plain tables of the contract', async () => {
    const chunk = await bundled('esm')
    expect(chunk.imports).toEqual([])
    const foreign = chunk.moduleIds.filter((id) => !id.includes('/client/src/'))
    expect(foreign.map((id) => id.slice(id.lastIndexOf('/contract/') + 1)).sort()).toEqual([
      'contract/src/generated/endpoints.ts',
      'contract/src/generated/traits.ts',
      'contract/src/traits.ts',
    ])
    expect(chunk.moduleIds.length).toBeGreaterThan(foreign.length + 10)
  })

  it('is at most 10 kB gzipped for what every application loads: messages, events and errors', async () => {
    const { code } = await bundled('esm', 'index.ts', withoutFurtherCalls)
    expect(code).toContain('/alert/send')
    expect(code).not.toContain('/otp/verify')
    expect(gzipSync(code).byteLength).toBeLessThanOrEqual(10_000)
  })

  it.each([
    ['index.ts', 12_500],
    ['admin.ts', 12_000],
    ['assistants.ts', 11_000],
  ])('has its own bound for all of %s: %i bytes gzipped', async (entry, bound) => {
    expect(gzipSync((await bundled('esm', entry)).code).byteLength).toBeLessThanOrEqual(bound)
  })

  it('leaves the routes of people and assistants to their entries, which hold their tables instead', async () => {
    const main = await bundled('esm')
    expect(main.code).not.toMatch(/\/auth\/sign-in|\/bots\/:botId\/orders/)
    expect(main.code).toContain('/session/qr')
    const admin = await bundled('esm', 'admin.ts')
    expect(admin.code).toContain('/auth/sign-in')
    expect(admin.code).not.toContain('/session/qr')
    const assistants = await bundled('esm', 'assistants.ts')
    expect(assistants.code).toContain('/bots/:botId/orders')
    expect(assistants.code).not.toMatch(/\/auth\/sign-in|\/session\/qr/)
  })

  it('leaves the schemas of the contract to the fake, which has at most 105 kB gzipped', async () => {
    expect((await bundled('esm')).code).not.toContain('safeParse')
    const { code, imports } = await bundled('esm', 'testing.ts')
    expect([imports, code.includes('safeParse')]).toEqual([[], true])
    expect(gzipSync(code).byteLength).toBeLessThanOrEqual(105_000)
  })

  it('imports nothing from Node.js', () => {
    expect(shipped.length).toBeGreaterThan(15)
    for (const name of shipped) {
      const text = readFileSync(new URL(name, source), 'utf8')
      const imported = [...text.matchAll(/(?: from|^import) '([^']+)'$/gm)].map(([, from]) => from ?? '')
      expect(
        imported.filter((from) => !/^(\.{1,2}\/|@msgctl\/(contract|webhook-verifier))/.test(from)),
        name,
      ).toEqual([])
    }
  })

  it('sends a message with only the globals of the web', async () => {
    const { code } = await bundled('iife')
    const sent: (readonly [string, TransportRequest])[] = []
    const fetch = async (url: string, request: TransportRequest) => {
      sent.push([url, request])
      return new Response('{"success":true,"messageId":"m"}', { status: 201 })
    }
    const web = { URL, URLSearchParams, TextDecoder, AbortController, crypto, setTimeout, clearTimeout, fetch }
    const answer = await runInContext(
      `${code}
      new bundle.MessagingClient({ apiKey: 'k', baseUrl: 'https://api.example.com/api/v1/' })
        .alert.send({ phone: '+12025550100', message: 'hello' })`,
      createContext(web),
    )
    expect(answer).toMatchObject({ messageId: 'm' })
    expect(sent).toHaveLength(1)
    expect(sent[0]?.[0]).toBe('https://api.example.com/api/v1/alert/send')
    expect(sent[0]?.[1]).toMatchObject({ method: 'POST', redirect: 'manual', headers: { 'x-api-key': 'k' } })
  })
})
