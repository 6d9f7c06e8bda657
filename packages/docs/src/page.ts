import type { Document } from './document.ts'
import type { Html } from './html.ts'

/** What the parts of a page need to know of the site and of their own place in it. */
export interface Page {
  readonly document: Document
  /** Returns the address of a place of the site, relative to this page. */
  to(path: string): string
  /** Returns the address of the description of a named record, or undefined for schemas that are written out. */
  schemaLink(name: string): string | undefined
  /** Returns a description with its code and links. */
  text(words: string): Html
}

/** A finished page. */
export interface Rendered {
  /** Below the root of the site: `docs/api/alert`. */
  readonly path: string
  readonly title: string
  /** For search engines and previews, one sentence. */
  readonly about: string
  readonly body: Html
  /** Entries of the menu "On this page". */
  readonly sections: readonly { readonly text: string; readonly anchor: string; readonly mark?: string }[]
}

/** The anchor of an operation on its page: `send` for `alert.send`. */
export const anchorOf = (operationId: string): string => operationId.split('.')[1] ?? operationId

/** Addresses below the root of the site, without a slash in front. */
export const pathTo = {
  overview: 'docs',
  guide: (slug: string): string => `docs/guides/${slug}`,
  resource: (name: string): string => `docs/api/${name}`,
  operation: (id: string): string => `docs/api/${id.split('.')[0]}#${anchorOf(id)}`,
  events: 'docs/events',
  event: (kind: string): string => `docs/events#${kind}`,
  errors: 'docs/errors',
  error: (code: string): string => `docs/errors#${code}`,
} as const
