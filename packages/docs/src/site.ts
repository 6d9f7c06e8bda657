import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { type ErrorCode, errors } from '@msgctl/contract'
import type { OpenApiDocument } from '@msgctl/contract/openapi'
import { type Document, nameOf, readDocument, type Schema } from './document.ts'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { guidePage, guides } from './guides.ts'
import { relativeTo, renderLayout } from './layout.ts'
import { type Linker, renderText } from './markdown.ts'
import { overviewPage } from './overview-page.ts'
import { type Page, pathTo, type Rendered } from './page.ts'
import { resourcePage } from './resource-page.ts'
import { searchIndex } from './search.ts'

/** Yields the names of the schemas that a part of the document refers to, also through others. */
function* namesIn(document: Document, part: unknown, seen: Set<string>): Generator<string> {
  if (Array.isArray(part)) for (const one of part) yield* namesIn(document, one, seen)
  if (typeof part !== 'object' || part === null) return
  const name = nameOf(part as Schema)
  if (name !== undefined && !seen.has(name)) {
    seen.add(name)
    yield name
    yield* namesIn(document, document.schemas[name], seen)
  }
  for (const value of Object.values(part)) yield* namesIn(document, value, seen)
}

const isRecord = ({ properties }: Schema): boolean => properties !== undefined && properties.error === undefined

/** Returns the page that describes each record: that of the first resource that returns or takes it. */
function placeRecords(document: Document): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  const seen = new Set<string>()
  for (const { tags, requestBody, responses } of document.operations) {
    const successes = Object.entries(responses).flatMap(([status, response]) => (status < '3' ? [response] : []))
    for (const name of namesIn(document, [requestBody, successes], seen)) {
      const isEvent =
        /Event$/.test(name) || Object.values(document.webhooks).some(({ post }) => dataName(document, post) === name)
      if (isRecord(document.schemas[name] ?? {}) && !isEvent) places.set(name, pathTo.resource(tags[0] ?? ''))
    }
  }
  return places
}

/** Returns the name of the schema of the data of a webhook. */
function dataName(document: Document, { requestBody }: Document['webhooks'][string]['post']): string | undefined {
  const body = requestBody?.content['application/json']?.schema
  return nameOf(document.resolve(body ?? {}).properties?.data ?? {})
}

function createLinker(document: Document, from: string): Linker {
  const operations = new Map(
    document.operations.map(({ method, path, operationId }) => [`${method} ${path}`, operationId]),
  )
  const slugs = new Set<string>(guides.map(({ slug }) => slug))
  return {
    link(target) {
      if (target.startsWith('#')) return target
      const [file = '', anchor] = target.split('#')
      const slug = file.replace(/^.*\//, '').replace(/\.md$/, '')
      if (!file.endsWith('.md') || !slugs.has(slug)) return undefined
      return relativeTo(from, pathTo.guide(slug)) + (anchor === undefined ? '' : `#${anchor}`)
    },
    code(text) {
      const route = operations.get(text.replace(/:(\w+)/g, '{$1}'))
      if (route !== undefined) return relativeTo(from, pathTo.operation(route))
      if (text in errors) return relativeTo(from, pathTo.error(text as ErrorCode))
      return text in document.webhooks ? relativeTo(from, pathTo.event(text)) : undefined
    },
  }
}

const version = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 10)

/** Returns the style sheet and the scripts by their names. */
function readAssets(): Readonly<Record<string, string>> {
  const folder = new URL('../src/assets/', import.meta.url)
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]))
}

/** Returns the text of every file of the site by its path below the root, such as `docs/guides/errors.html`. */
export function buildSite(openApi: OpenApiDocument): ReadonlyMap<string, string> {
  const document = readDocument(openApi)
  const records = placeRecords(document)

  function pageAt(path: string): Page {
    const linker = createLinker(document, path)
    return {
      document,
      to: (target) => relativeTo(path, target),
      schemaLink: (name) => {
        const place = records.get(name)
        return place && (place === path ? `#${name}` : relativeTo(path, `${place}#${name}`))
      },
      text: (words) => renderText(words, linker),
    }
  }

  const recordsOf = (path: string) => [...records].flatMap(([name, place]) => (place === path ? [name] : []))
  const pages: Rendered[] = [
    overviewPage(pageAt(pathTo.overview)),
    ...guides.map((guide) => guidePage(guide, createLinker(document, pathTo.guide(guide.slug)))),
    ...document.tags.map((tag) => {
      const path = pathTo.resource(tag.name)
      return resourcePage(pageAt(path), tag, recordsOf(path))
    }),
    eventsPage(pageAt(pathTo.events)),
    errorsPage(pageAt(pathTo.errors)),
  ]
  const assets = readAssets()
  const versions = Object.fromEntries(Object.entries(assets).map(([name, text]) => [name, version(text)]))
  const frame = { tags: document.tags, versions }
  return new Map([
    ...pages.map((page) => [`${page.path}.html`, renderLayout(page, frame)] as const),
    ...Object.entries(assets).map(([name, text]) => [`docs/assets/${name}`, text] as const),
    ['docs/search.json', JSON.stringify(searchIndex(document, pages, records))],
  ])
}
