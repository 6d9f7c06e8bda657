import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { type OutputChunk, rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'
import type { TransportRequest } from './transport.ts'

const source = new URL('.', import.meta.url)
const shipped = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /^(?!test\b).*\.ts$/.test(name) && !/\.test(-d)?\.ts$/.test(name),
)

/** Returns the bundle of a program that imports all of one entry. */
async function bundled(format: 'esm' | 'iife', entry = 'index.ts'): Promise<OutputChunk> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL(entry, source)),
    platform: 'neutral',
    resolve: { conditionNames: ['@msgctl/source', 'import', 'default'] },
  })
  const { output } = await bundle.generate({ format, name: 'bundle', minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  return output[0]
}

describe('the bundle', () => {
  it('is at most 10 kB gzipped and holds only the client and two plain tables of the contract', async () => {
    const chunk = await bundled('esm')
    expect(chunk.imports).toEqual([])
    const foreign = chunk.moduleIds.filter((id) => !id.includes('/client/src/'))
    expect(foreign.map((id) => id.slice(id.lastIndexOf('/contract/') + 1)).sort()).toEqual([
      'contract/src/endpoints.ts',
      'contract/src/traits.ts',
    ])
    expect(chunk.moduleIds.length).toBeGreaterThan(foreign.length + 10)
    expect(gzipSync(chunk.code).byteLength).toBeLessThanOrEqual(10_000)
  })

  it('leaves the routes of people to the entry admin, which holds their table instead', async () => {
    const main = await bundled('esm')
    expect(main.code).not.toContain('/auth/sign-in')
    expect(main.code).toContain('/session/qr')
    const chunk = await bundled('esm', 'admin.ts')
    expect(chunk.code).toContain('/auth/sign-in')
    expect(chunk.code).not.toContain('/session/qr')
    expect(gzipSync(chunk.code).byteLength).toBeLessThanOrEqual(10_000)
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
