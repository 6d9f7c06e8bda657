import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { body, nowMs, secret, signedHeaders } from './test/signed-delivery.ts'

async function bundle(name: string, format: 'esm' | 'iife' = 'esm') {
  const entry = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format,
    globalName: 'verifier',
    platform: 'neutral',
    write: false,
    metafile: true,
  })
  const [output] = Object.values(metafile.outputs)
  return { code: outputFiles[0]?.text ?? '', imports: output?.imports ?? [], inputs: Object.keys(metafile.inputs) }
}

describe('the bundle', () => {
  it('of the core is at most 2.65 kB with gzip', async () => {
    const { code } = await bundle('index')
    expect(code).toContain('WebhookVerificationError')
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(2_650)
  })

  it.each(['index', 'node', 'fetch', 'koa', 'fastify', 'hono', 'lambda', 'testing'])(
    'of %s imports nothing: no package, no node: module',
    async (name) => {
      const { code, imports, inputs } = await bundle(name)
      expect(imports).toEqual([])
      expect(inputs.length).toBeGreaterThan(5)
      expect(inputs.filter((input) => !/(^|\/)src\/((adapter|generated)\/)?[\w-]+\.ts$/.test(input))).toEqual([])
      expect(code).not.toMatch(/node:|require\(|\bBuffer\b|\bprocess\b/)
    },
  )

  it('runs where there is only Web Crypto and text coding, with buffers of another realm', async () => {
    const { code } = await bundle('index', 'iife')
    const bytes = new TextEncoder().encode(body)
    const given = { bytes, whole: bytes.slice().buffer, headers: await signedHeaders(), secret, now: () => nowMs }
    const context = createContext({ crypto, TextEncoder, TextDecoder, ...given })
    runInContext(code, context)
    for (const rawBody of ['bytes', 'whole']) {
      const event = await runInContext(`verifier.verify(${rawBody}, headers, secret, { now })`, context)
      expect(event.event).toBe('message.failed')
    }
  })
})
