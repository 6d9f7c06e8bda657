import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'

/** `npm run build` writes it, also before the tests of `npm test`. */
const bundle = new URL('../../../dist/bundle/main.js', import.meta.url)

it('is a bundle that holds the document as data, and nothing that makes it', () => {
  const code = readFileSync(bundle, 'utf8')
  expect(code).not.toMatch(/OpenApiGeneratorV31/)
  const [, packed = ''] = /"(H4sI[A-Za-z0-9+/=]{10000,})"/.exec(code) ?? []
  expect(JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString())).toMatchObject({ openapi: '3.1.0' })
})
