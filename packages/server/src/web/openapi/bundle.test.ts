import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

/** `npm run build` writes it, also before the tests of `npm test`. */
const read = (name: string) => readFileSync(new URL(`../../../dist/bundle/${name}`, import.meta.url), 'utf8')

it('is a bundle that has the document as data and the pages beside it, and nothing that makes them', () => {
  const code = read('main.js')
  expect(code).not.toMatch(/OpenApiGeneratorV31|highlight\.js|node_modules\/marked/)
  expect(read('docs-site/docs.html')).toMatch(/^<!doctype html>/i)
  const [, packed = ''] = /"(H4sI[A-Za-z0-9+/=]{10000,})"/.exec(code) ?? []
  expect(JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString())).toMatchObject({ openapi: '3.1.0' })
})
