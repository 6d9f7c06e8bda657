import { contract, type ErrorCode, errors, listErrors, type RetryClass, type Route } from '@msgctl/contract'
import { type Html, html } from './html.ts'
import { type Page, pathTo, type Rendered } from './page.ts'
import { fieldList } from './schema.ts'

const retryWords = {
  never: 'The same request would fail again: change it first.',
  safe: 'Nothing happened. Repeat the request after the wait.',
  quota: 'Nothing happened. Repeat the request when the quota is free again.',
  unknown: 'The change may have been made. Repeat it with the same Idempotency-Key only.',
} as const satisfies Record<RetryClass, string>

const statusWords: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  402: 'Payment required',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  410: 'Gone',
  413: 'Too large',
  415: 'Unsupported type',
  422: 'Unprocessable',
  429: 'Too many requests',
  500: 'Internal error',
  502: 'Bad gateway',
  503: 'Unavailable',
  504: 'Timeout',
}

/** Returns the operations that can return each code. */
function operationsByCode(): ReadonlyMap<ErrorCode, readonly string[]> {
  const found = new Map<ErrorCode, string[]>()
  for (const [resource, routes] of Object.entries<Record<string, Route>>({ ...contract })) {
    for (const [name, route] of Object.entries(routes)) {
      for (const code of listErrors(route)) found.set(code, [...(found.get(code) ?? []), `${resource}.${name}`])
    }
  }
  return found
}

/** A code that most operations return names none of them. */
const fewOperations = 30

function operationLinks(page: Page, ids: readonly string[]): Html {
  if (ids.length === 0) return html`<p>No route returns it yet.</p>`
  if (ids.length > fewOperations) return html`<p>${ids.length} routes return it.</p>`
  return html`<p>Returned by: ${ids.map(
    (id, index) => html`${index > 0 && ', '}<a href="${page.to(pathTo.operation(id))}"><code>${id}</code></a>`,
  )}</p>`
}

function codeEntry(page: Page, code: ErrorCode, ids: readonly string[]): Html {
  const { meaning, retry } = errors[code]
  const name = Object.entries(page.document.schemas).find(
    ([, { properties }]) => properties?.error?.properties?.code?.enum?.[0] === code,
  )?.[0]
  const details = page.document.schemas[name ?? '']?.properties?.error?.properties?.details
  return html`<section class="error" id="${code}" aria-labelledby="${code}-title">
    <h3 id="${code}-title"><a class="anchor" href="#${code}"><code>${code}</code></a></h3>
    <p>${meaning[0]?.toUpperCase()}${meaning.slice(1)}. ${retryWords[retry]}</p>
    ${details?.properties && html`<details><summary>Fields of details</summary>${fieldList(page, details)}</details>`}
    ${operationLinks(page, ids)}
  </section>`
}

/** Returns the page of all error codes, by HTTP status. */
export function errorsPage(page: Page): Rendered {
  const codes = Object.keys(errors) as ErrorCode[]
  const byCode = operationsByCode()
  const statuses = [...new Set(codes.map((code) => errors[code].status))].sort((a, b) => a - b)
  const title = (status: number) => `${status} ${statusWords[status] ?? ''}`.trim()
  return {
    path: pathTo.errors,
    title: 'Error codes',
    about: 'Every error code with its meaning, its details and the routes that return it.',
    body: html`<p class="lead">Match on <code>error.code</code>, never on the message. Codes are never renamed or
      removed, and new ones may appear.
      <a href="${page.to(pathTo.guide('errors'))}">The guide</a> describes the envelope.</p>
      ${statuses.map(
        (status) =>
          html`<div class="by-status"><h2 id="status-${status}">${title(status)}</h2>${codes
            .filter((code) => errors[code].status === status)
            .map((code) => codeEntry(page, code, byCode.get(code) ?? []))}</div>`,
      )}`,
    sections: statuses.map((status) => ({ text: title(status), anchor: `status-${status}` })),
  }
}
