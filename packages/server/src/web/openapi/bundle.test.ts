import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import type { SiteFile } from './site/site.ts'

function unpack(text: string): unknown {
  return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString())
}

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-bundle-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('is a bundle that holds the document and the pages as data, and nothing that renders them', async () => {
  const file = path.join(folder, 'main.js')
  const script = new URL('../../../scripts/bundle.mjs', import.meta.url).href
  const { bundle } = (await import(script)) as { bundle(file: string): Promise<void> }
  await bundle(file)
  const code = readFileSync(file, 'utf8')
  expect(code).not.toMatch(/src\/openapi\/site\/|highlight\.js|node_modules\/marked/)
  const packed = [...code.matchAll(/"(H4sI[A-Za-z0-9+/=]{10000,})"/g)].map(([, text = '']) => unpack(text))
  const [document, site] = packed as [{ readonly openapi: string }, [string, SiteFile][]]
  expect(document.openapi).toBe('3.1.0')
  expect(new Map(site).get('docs')?.text).toMatch(/^<!doctype html>/i)
}, 60_000)
