import { type ErrorCode, errors } from '@msgctl/contract'
import type { Document } from './document.ts'
import { pathTo, type Rendered } from './page.ts'

/** One thing that a search can find: its title, what it is, where it is, and more words to find it by. */
type Entry = readonly [title: string, kind: string, path: string, words: string]

/**
 * Returns everything that can be found: routes, events, codes, records and their fields, and the sections of guides.
 */
export function searchIndex(
  document: Document,
  pages: readonly Rendered[],
  records: ReadonlyMap<string, string>,
): Entry[] {
  const routes = document.operations.map(
    ({ operationId, summary, method, path }): Entry => [
      summary,
      `${method} ${path}`,
      pathTo.operation(operationId),
      operationId,
    ],
  )
  const events = Object.entries(document.webhooks).map(
    ([kind, { post }]): Entry => [kind, 'event', pathTo.event(kind), post.description.split('\n')[0] ?? ''],
  )
  const codes = (Object.keys(errors) as ErrorCode[]).map(
    (code): Entry => [code, `${errors[code].status} error`, pathTo.error(code), errors[code].meaning],
  )
  const objects = [...records].map(
    ([name, path]): Entry => [
      name,
      'record',
      `${path}#${name}`,
      Object.keys(document.schemas[name]?.properties ?? {}).join(' '),
    ],
  )
  const guides = pages
    .filter(({ path }) => path.startsWith('docs/guides/'))
    .flatMap(({ path, title, about, sections }) => [
      [title, 'guide', path, about] as const,
      ...sections.map(({ text, anchor }): Entry => [text, title, `${path}#${anchor}`, '']),
    ])
  return [...routes, ...events, ...codes, ...objects, ...guides]
}
