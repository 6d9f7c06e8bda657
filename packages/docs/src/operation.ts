import { jsonBox, samplesOf } from './code.ts'
import { type Document, nameOf, type Operation, type PlacedOperation, type Response } from './document.ts'
import { type Html, html } from './html.ts'
import { anchorOf, type Page, pathTo } from './page.ts'
import { fieldList, fieldRow } from './schema.ts'
import { tryIt } from './try-it.ts'

/** Returns the method in the color of its kind. */
export function methodMark(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

function parameterList(page: Page, operation: PlacedOperation, place: string, title: string): Html | undefined {
  const fields = (operation.parameters ?? []).filter((parameter) => parameter.in === place)
  if (fields.length === 0) return undefined
  const rows = fields.map(({ name, schema, description, required }) =>
    fieldRow(page, name, description === undefined ? schema : { ...schema, description }, required === true),
  )
  return html`<h3>${title}</h3><dl class="fields">${rows}</dl>`
}

/** Returns the successful response of an operation. */
function successOf(document: Document, { responses }: Operation): readonly [status: string, response: Response] {
  const [status = '', response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  return [status, document.resolve(response ?? { description: '' })]
}

function responseFields(page: Page, operation: PlacedOperation): Html {
  const [status, { content }] = successOf(page.document, operation)
  const schema = Object.values(content ?? {})[0]?.schema
  const name = schema && nameOf(schema)
  const link = name === undefined ? undefined : page.schemaLink(name)
  const shown = link
    ? html`<p>Returns <a href="${link}">${name}</a>.</p>`
    : schema &&
      html`<details class="response"><summary>Fields of the response</summary>${fieldList(page, schema)}</details>`
  return html`<h3>Response <span class="status">${status}</span></h3>${shown}`
}

/** Returns the codes of an operation with their status and meaning. */
function errorList(page: Page, { responses }: PlacedOperation): Html {
  const rows = Object.entries(responses)
    .filter(([status]) => /^[45]\d\d$/.test(status))
    .flatMap(([status, response]) => {
      const { description } = page.document.resolve(response)
      return [...description.matchAll(/^`([A-Z_]+)`: (.*)\.$/gm)].map(
        ([, code = '', meaning]) =>
          html`<li><span class="status">${status}</span>
            <a href="${page.to(pathTo.error(code))}"><code>${code}</code></a> <span>${meaning}</span></li>`,
      )
    })
  return html`<details class="errors"><summary>Errors (${rows.length})</summary><ul>${rows}</ul></details>`
}

/** Returns the section of one operation: what it does on the left, samples on the right. */
export function operationSection(page: Page, operation: PlacedOperation): Html {
  const { operationId, summary, description, method, path, requestBody } = operation
  const anchor = anchorOf(operationId)
  const [words = '', access = ''] = description.split('\n\n')
  const body = requestBody?.content['application/json']?.schema
  const [status, response] = successOf(page.document, operation)
  const example = Object.values(response.content ?? {})[0]?.example
  return html`<section class="operation" id="${anchor}" aria-labelledby="${anchor}-title">
    <div class="words">
      <h2 id="${anchor}-title"><a class="anchor" href="#${anchor}">${summary}</a></h2>
      <p class="endpoint">${methodMark(method)} <code>${path
        .split('/')
        .map((part, index) => [
          index > 0 && html`/<wbr>`,
          part,
        ])}</code>${operation.deprecated === true && html` <span class="deprecated">deprecated</span>`}</p>
      ${page.text(words)}
      <div class="access">${page.text(access)}</div>
      ${parameterList(page, operation, 'path', 'Path')}
      ${parameterList(page, operation, 'query', 'Query')}
      ${body && html`<h3>Body</h3>${fieldList(page, body, true)}`}
      ${responseFields(page, operation)}
      ${errorList(page, operation)}
    </div>
    <div class="example">
      ${samplesOf(operation)}
      ${example !== undefined && jsonBox(example, `Response ${status}`)}
      ${tryIt(page, operation)}
    </div>
  </section>`
}
