import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { contract, listErrors, type Route } from '@msgctl/contract'
import { describeRoute, openApiDocument } from '@msgctl/contract/openapi'

/** The width that the formatter gives a line. */
const width = 120

/** Words as lines of a comment that stands `indent` deep. */
function wrapped(text: string, indent: string): string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && `${indent} * ${line} ${word}`.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

function comment(paragraphs: readonly string[], indent = '  '): string {
  const lines = paragraphs.map((paragraph) =>
    wrapped(paragraph, indent)
      .map((line) => `${indent} * ${line}\n`)
      .join(''),
  )
  return `${indent}/**\n${lines.join(`${indent} *\n`)}${indent} */\n`
}

/** What the contract's own source says above each route, by its name like `alert.send`. */
function commentsOfContract(): ReadonlyMap<string, string> {
  const folder = new URL('.', import.meta.resolve('@msgctl/contract'))
  const source = new URL('../src/routes/', folder)
  const found = new Map<string, string>()
  for (const file of readdirSync(fileURLToPath(source)).filter((name) => /^[a-z-]+\.ts$/.test(name))) {
    const text = readFileSync(new URL(file, source), 'utf8')
    const routes = /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*\w+: route\(\s*endpoints\.(\w+)\.(\w+)/g
    for (const [, words = '', resource, name] of text.matchAll(routes)) {
      found.set(`${resource}.${name}`, words.replace(/\n\s*\*/g, ' ').trim())
    }
  }
  return found
}

const comments = commentsOfContract()

/** What an editor shows for one route: what it does, who may call it within which limits, and how it can fail. */
function commentOf(resource: string, name: string, route: Route): string {
  const codes = [...new Set([...route.errors, ...listErrors(route)])]
  const words = comments.get(`${resource}.${name}`)
  if (words === undefined) throw new Error(`The route ${resource}.${name} has no comment in the contract.`)
  return comment([words, describeRoute(route), `@throws MessagingError ${codes.join(', ')}`])
}

const interfaceName = (resource: string) => `${resource[0]?.toUpperCase()}${resource.slice(1)}Calls`

/** The file of one resource: an interface with a documented property for each of its routes. */
export function callsText(resource: keyof typeof contract): string {
  const routes = Object.entries<Route>(contract[resource])
  const properties = routes.map(
    ([name, route]) =>
      `${commentOf(resource, name, route)}  readonly ${name}: Call<Contract['${resource}']['${name}']>\n`,
  )
  return [
    "import type { Contract } from '@msgctl/contract'\nimport type { Call } from '../types.ts'\n",
    `/** \`client.${resource}\`. Written by \`npm run calls\` from the contract. */`,
    `export interface ${interfaceName(resource)} {\n${properties.join('\n')}}\n`,
  ].join('\n')
}

/** The file that joins them. */
export function resourcesText(): string {
  const tags = new Map(openApiDocument().tags?.map(({ name, description }) => [name, description ?? '']))
  const resources = Object.keys(contract)
  const imports = resources
    .toSorted()
    .map((resource) => `import type { ${interfaceName(resource)} } from './generated/${resource}.ts'\n`)
  const properties = resources.map(
    (resource) => `  /** ${tags.get(resource)} */\n  readonly ${resource}: ${interfaceName(resource)}\n`,
  )
  return [
    imports.join(''),
    '/** Every route of the contract under its own name: `alert.send`, `messages.list`. Written by `npm run calls`. */',
    `export interface Resources {\n${properties.join('')}}\n`,
  ].join('\n')
}
