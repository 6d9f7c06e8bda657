import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { SiteFile } from './site/site.ts'

function unpack(text: string): unknown {
  return JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString())
}

/** `npm run build` writes it, also before the tests of `npm test`. */
const bundle = new URL('../../../dist/bundle/main.js', import.meta.url)

it('is a bundle that holds the document and the pages as data, and nothing that renders them', () => {
  const code = readFileSync(bundle, 'utf8')
  expect(code).not.toMatch(/src\/openapi\/site\/|highlight\.js|node_modules\/marked/)
  const packed = [...code.matchAll(/"(H4sI[A-Za-z0-9+/=]{10000,})"/g)].map(([, text = '']) => unpack(text))
  const [document, site] = packed as [{ readonly openapi: string }, [string, SiteFile][]]
  expect(document.openapi).toBe('3.1.0')
  expect(new Map(site).get('docs')?.text).toMatch(/^<!doctype html>/i)
})
