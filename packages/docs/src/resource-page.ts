import type { Tag } from './document.ts'
import { html } from './html.ts'
import { methodMark, operationSection } from './operation.ts'
import { anchorOf, type Page, pathTo, type Rendered } from './page.ts'
import { fieldList } from './schema.ts'

/** Returns the page of one resource: its operations, then the records that they return. */
export function resourcePage(page: Page, tag: Tag, records: readonly string[]): Rendered {
  const operations = page.document.operations.filter(({ tags }) => tags.includes(tag.name))
  const rows = operations.map(
    ({ method, path, operationId, summary }) =>
      html`<tr><td>${methodMark(method)} <code>${path}</code></td>
        <td><a href="#${anchorOf(operationId)}">${summary}</a></td></tr>`,
  )
  const objects = records.map((name) => {
    const schema = page.document.schemas[name] ?? {}
    return html`<section class="object" id="${name}" aria-labelledby="${name}-title">
      <h2 id="${name}-title"><a class="anchor" href="#${name}">${name}</a></h2>
      ${page.text(schema.description ?? '')}${fieldList(page, schema)}</section>`
  })
  return {
    path: pathTo.resource(tag.name),
    title: tag['x-displayName'],
    about: tag.description,
    body: html`<p class="lead">${tag.description}</p>
      <div class="table" tabindex="0"><table class="overview">
        <thead><tr><th>Route</th><th>What it does</th></tr></thead><tbody>${rows}</tbody></table></div>
      ${operations.map((operation) => operationSection(page, operation))}
      ${objects.length > 0 && html`<div class="objects"><h2 id="objects">Records</h2>${objects}</div>`}`,
    sections: [
      ...operations.map(({ operationId, summary, method }) => ({
        text: summary,
        anchor: anchorOf(operationId),
        mark: method,
      })),
      ...(objects.length > 0 ? [{ text: 'Records', anchor: 'objects' }] : []),
    ],
  }
}
