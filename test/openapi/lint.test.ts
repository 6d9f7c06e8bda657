import path from 'node:path'
import { openApiDocument } from '@msgctl/contract/openapi'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { describe, expect, it } from 'vitest'

const source = JSON.stringify(openApiDocument())
/** Here are the rules (redocly.yaml) and what they find that is accepted, with why (.redocly.lint-ignore.yaml). */
const folder = import.meta.dirname

/** Returns the problems that redocly finds with its recommended rules and does not ignore, warnings included. */
async function redoclyFinds(document: string): Promise<string[]> {
  const config = await loadConfig({ configPath: path.join(folder, 'redocly.yaml') })
  const problems = await lintFromString({ source: document, absoluteRef: path.join(folder, 'openapi.json'), config })
  const found = problems.filter(({ ignored }) => ignored !== true)
  return found.map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer}`)
}

/**
 * Returns the problems that spectral finds with its recommended rules for OpenAPI, warnings and hints included. Redocly
 * checks the examples of bodies, in a quarter of the time and more strictly: it refuses fields that no schema has.
 */
async function spectralFinds(document: string): Promise<string[]> {
  const linter = new spectral.Spectral()
  const recommended = rulesets.oas as unknown as RulesetDefinition
  linter.setRuleset({ extends: [recommended], rules: { 'oas3-valid-media-example': 'off' } })
  const problems = await linter.run(JSON.parse(document))
  return problems.map(({ code, path }) => `${code} at ${path.join('/')}`)
}

interface Body {
  readonly content: { 'application/json': { example: object } }
}

describe('the OpenAPI document', () => {
  it('is clean for redocly', async () => {
    expect(await redoclyFinds(source)).toEqual([])
  })

  it('is clean for spectral', async () => {
    expect(await spectralFinds(source)).toEqual([])
  })

  it('would not be clean for either with an operation that has no id, no tag and no description', async () => {
    const document = JSON.parse(source)
    const { get } = document.paths['/me']
    const broken = JSON.stringify({ ...document, paths: { '/me': { get: { responses: get.responses } } } })
    expect(await redoclyFinds(broken)).toContain('security-defined at #/paths/~1me/get')
    expect(await spectralFinds(broken)).toContain('operation-operationId at paths//me/get')
  })

  it('would not be clean with an example that its schema does not allow', async () => {
    const document = JSON.parse(source)
    const { get } = document.paths['/me']
    const [[status, response]] = Object.entries(structuredClone(get.responses)) as [[string, Body]]
    const body = response.content['application/json']
    body.example = { ...body.example, unknown: 1 }
    const broken = JSON.stringify({
      ...document,
      paths: { '/me': { get: { ...get, responses: { [status]: response } } } },
    })
    const found = await redoclyFinds(broken)
    expect(found.filter((one) => one.startsWith('no-invalid-media-type-examples'))).toEqual([
      expect.stringContaining(`#/paths/~1me/get/responses/${status}/content/application~1json/example`),
    ])
  })
})
