import { jsonBox } from './code.ts'
import { type Html, html } from './html.ts'
import { type Page, pathTo, type Rendered } from './page.ts'
import { fieldList, fieldRow } from './schema.ts'

function eventSection(page: Page, kind: string): Html {
  const { description, parameters = [], requestBody } = page.document.webhooks[kind]?.post ?? {}
  const media = requestBody?.content['application/json']
  const { properties = {} } = page.document.resolve(media?.schema ?? {})
  const headers = parameters.map(({ name, schema, description: words }) =>
    fieldRow(page, name, words === undefined ? schema : { ...schema, description: words }, undefined),
  )
  return html`<section class="operation" id="${kind}" aria-labelledby="${kind}-title">
    <div class="words">
      <h2 id="${kind}-title"><a class="anchor" href="#${kind}"><code>${kind}</code></a></h2>
      ${page.text(description ?? '')}
      <h3>data</h3>${fieldList(page, properties.data ?? {})}
      <details><summary>Headers of the delivery</summary><dl class="fields">${headers}</dl></details>
    </div>
    <div class="example">${media?.example !== undefined && jsonBox(media.example, `POST to your webhook`)}</div>
  </section>`
}

/** Returns the page of all kinds of events, by their names. */
export function eventsPage(page: Page): Rendered {
  const kinds = Object.keys(page.document.webhooks)
  return {
    path: pathTo.events,
    title: 'Event kinds',
    about: 'Every kind of event with its fields and an example.',
    body: html`<p class="lead">Events are in the <a href="${page.to(pathTo.resource('events'))}">event log</a>,
      in its stream, and are posted to the <a href="${page.to(pathTo.guide('webhooks'))}">webhook</a>. New kinds may
      appear: ignore those that you do not know.</p>
      <ul class="chips">${kinds.map((kind) => html`<li><a href="#${kind}"><code>${kind}</code></a></li>`)}</ul>
      ${kinds.map((kind) => eventSection(page, kind))}`,
    sections: kinds.map((kind) => ({ text: kind, anchor: kind })),
  }
}
