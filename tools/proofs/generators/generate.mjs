// Runs every generator on an OpenAPI document: node generate.mjs openapi.json folder
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { generate } from 'orval'
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core'

const [document = '', folder = ''] = process.argv.slice(2)

/**
 * The named schemas of the document, as classes with conversions from and to JSON.
 *
 * @param {string} lang
 * @param {string} file
 * @param {Record<string, string>} rendererOptions
 */
async function writeModels(lang, file, rendererOptions) {
  const { schemas } = JSON.parse(readFileSync(document, 'utf8')).components
  const definitions = JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/definitions/'))
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore())
  await input.addSource({ name: 'Msgctl', schema: JSON.stringify({ definitions }), uris: ['#/definitions/'] })
  const inputData = new InputData()
  inputData.addInput(input)
  const { lines } = await quicktype({ inputData, lang, rendererOptions })
  const target = path.join(folder, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, lines.join('\n'))
}

const plugins = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch']
await createClient({
  input: document,
  output: { path: path.join(folder, 'hey-api'), importFileExtension: '.js' },
  plugins,
  logs: { level: 'silent' },
})
await generate({
  input: { target: document },
  output: {
    target: path.join(folder, 'orval/api.ts'),
    schemas: path.join(folder, 'orval/model'),
    client: 'fetch',
    mode: 'single',
  },
})
const types = astToString(await openapiTypescript(pathToFileURL(document)))
writeFileSync(path.join(folder, 'openapi-typescript.ts'), types)
await writeModels('go', 'go/models.go', { package: 'main' })
await writeModels('python', 'python/models.py', { 'python-version': '3.7' })
