import { jsonBox, samplesOf } from './code.ts'
import { guides } from './guides.ts'
import { type Html, html } from './html.ts'
import { type Page, pathTo, type Rendered } from './page.ts'

function cards(
  page: Page,
  entries: readonly { readonly title: string; readonly about: string; readonly path: string }[],
): Html {
  return html`<ul class="cards">${entries.map(
    ({ title, about, path }) =>
      html`<li><a href="${page.to(path)}"><strong>${title}</strong><span>${about}</span></a></li>`,
  )}</ul>`
}

/** Returns the first page: what the service is, the first call, and where to go from there. */
export function overviewPage(page: Page): Rendered {
  const { operations, tags } = page.document
  const first = operations.find(({ operationId }) => operationId === 'alert.send')
  const response = first && page.document.resolve(first.responses['201'] ?? { description: '' })
  const example = Object.values(response?.content ?? {})[0]?.example
  return {
    path: pathTo.overview,
    title: 'Msgctl API',
    about: 'Send, receive and track chat messages through your own numbers.',
    body: html`<p class="lead">Send, receive and track chat messages through your own numbers, over HTTP and JSON.</p>
      <section class="operation first"><div class="words">
        <h2 id="first-call">The first call</h2>
        <ol class="steps">
          <li><strong>Get a key.</strong> <code>npm start</code> prints one for the demo organization; your operator
            gives you one for a real service.
            <a href="${page.to(pathTo.guide('authentication'))}">Authentication</a></li>
          <li><strong>Set two variables.</strong> Every sample on these pages reads them: <code>MSG_API_KEY</code> and
            <code>MSG_BASE_URL</code>, which here is <code data-base-url>/api/v1</code>.</li>
          <li><strong>Send a message.</strong> The response has its id.
            <a href="${page.to(pathTo.operation('messages.get'))}">GET /messages/{id}</a> and
            <a href="${page.to(pathTo.guide('events'))}">events</a> report what becomes of it.</li>
        </ol>
      </div><div class="example">${first && samplesOf(first)}
        ${example !== undefined && jsonBox(example, 'Response 201')}</div></section>
      <h2 id="guides">Guides</h2>
      ${cards(
        page,
        guides.map(({ slug, title, about }) => ({ title, about, path: pathTo.guide(slug) })),
      )}
      <h2 id="reference">Reference</h2>
      ${cards(page, [
        ...tags.map(({ name, 'x-displayName': title, description }) => ({
          title,
          about: description,
          path: pathTo.resource(name),
        })),
        { title: 'Event kinds', about: 'Every kind of event with its fields and an example.', path: pathTo.events },
        { title: 'Error codes', about: 'Every code, what it means, and who returns it.', path: pathTo.errors },
      ])}
      <h2 id="other-languages">Other languages</h2>
      <p>The whole API is one <a href="${page.to('api/v1/openapi.json')}" download>OpenAPI 3.1 document</a>, from which
        generators make clients. <code>@msgctl/client</code> is the client for TypeScript and JavaScript,
        <code>msgctl</code> the command line.</p>`,
    sections: [
      { text: 'The first call', anchor: 'first-call' },
      { text: 'Guides', anchor: 'guides' },
      { text: 'Reference', anchor: 'reference' },
      { text: 'Other languages', anchor: 'other-languages' },
    ],
  }
}
