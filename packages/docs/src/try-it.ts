import type { PlacedOperation, Schema } from './document.ts'
import { type Html, html } from './html.ts'
import type { Page } from './page.ts'

/** Operations after which something is gone or no longer works. The script asks before it calls them. */
const needsConfirmation = (method: string, id: string): boolean =>
  method === 'DELETE' || /regenerate|logout|changePassword|signOut/.test(id)

function input(operationId: string, name: string, place: string, schema: Schema, required: boolean): Html {
  const id = `try-${operationId}-${name}`
  const values = schema.enum ?? []
  const control =
    values.length > 1
      ? html`<select id="${id}" name="${name}" data-in="${place}"><option value=""></option>${values.map(
          (value) => html`<option>${String(value)}</option>`,
        )}</select>`
      : html`<input id="${id}" name="${name}" data-in="${place}" autocomplete="off" spellcheck="false"${
          required && html` required`
        }>`
  return html`<label for="${id}"><code>${name}</code>${required && ' (required)'}</label>${control}`
}

/** Returns the example of a body without ids, which exist only in the examples. */
function bodyExample({ requestBody }: PlacedOperation): unknown {
  const example = requestBody?.content['application/json']?.example
  if (typeof example !== 'object' || example === null) return undefined
  return Object.fromEntries(Object.entries(example).filter(([name]) => !/^(?:containerIds?|requestId|ids)$/.test(name)))
}

/** Returns the form that calls an operation of the running service. Without scripts it stays hidden. */
export function tryIt(page: Page, operation: PlacedOperation): Html {
  const { operationId, method, path, parameters = [], security, responses } = operation
  const fields = parameters
    .filter(({ in: place }) => place !== 'header')
    .map(({ name, in: place, schema, required }) =>
      input(operationId, name, place, page.document.resolve(schema), required === true),
    )
  const body = bodyExample(operation)
  const schemes = security.flatMap((one) => Object.keys(one))
  const isStream = Object.values(responses).some(({ content }) => content?.['text/event-stream'] !== undefined)
  const bodyId = `try-${operationId}-body`
  const bodyText = JSON.stringify(body, null, 2)
  return html`<details class="try"><summary>Try it</summary>
    <form data-method="${method}" data-path="${path}" data-credentials="${schemes.join(' ')}"${
      isStream && html` data-stream`
    }${needsConfirmation(method, operationId) && html` data-confirm`}>
    ${
      method !== 'GET' &&
      html`<p class="note">This calls the running service. It can send real messages and change real data.</p>`
    }
    ${fields.length > 0 && html`<div class="inputs">${fields}</div>`}
    ${
      body !== undefined &&
      html`<label for="${bodyId}">Body</label><textarea id="${bodyId}" name="body" spellcheck="false"
        rows="${Math.min(14, bodyText.split('\n').length)}">${bodyText}</textarea>`
    }
    <p class="actions"><button type="submit" class="primary">Send request</button>${
      schemes.length > 0 && html`<button type="button" data-open-key>Set key</button>`
    }<span class="key-state" data-key-state></span></p>
    <div class="outcome" role="status" aria-live="polite" tabindex="-1"></div>
  </form></details>`
}
