import { html } from './html.ts'
import { pathTo } from './links.ts'
import { type Linker, renderMarkdown } from './markdown.ts'
import type { Rendered } from './page.ts'

export interface Guide {
  readonly slug: string
  readonly title: string
  readonly about: string
}

/** Returns the page of a guide from its Markdown. */
export function guidePage({ slug, title, about }: Guide, text: string, linker: Linker): Rendered {
  const { body, headings } = renderMarkdown(text, linker)
  return { path: pathTo.guide(slug), title, about, body: html`<div class="guide">${body}</div>`, sections: headings }
}
