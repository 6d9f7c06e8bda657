import { type Document, nameOf, type Schema } from './document.ts'
import { type Html, html } from './html.ts'
import type { Page } from './page.ts'

/** Returns a schema with the fields of all its `allOf` members. */
function withFields(document: Document, schema: Schema): Schema {
  const found = document.resolve(schema)
  if (!found.allOf) return found
  const parts = found.allOf.map((part) => withFields(document, part))
  return {
    ...found,
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

/** Splits off null from a schema. */
function bare(schema: Schema): { readonly schema: Schema; readonly mayBeNull: boolean } {
  const [first, second] = schema.anyOf ?? []
  if (first && second?.type === 'null' && schema.anyOf?.length === 2) return { schema: first, mayBeNull: true }
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const type = schema.type.filter((one) => one !== 'null')
    return { schema: { ...schema, type: type.length === 1 ? (type[0] ?? '') : type }, mayBeNull: true }
  }
  return { schema, mayBeNull: false }
}

const formats: Readonly<Record<string, string>> = { uuid: 'UUID', 'date-time': 'time', uri: 'URL', email: 'e-mail' }

function typeName(page: Page, given: Schema): Html {
  const { schema, mayBeNull } = bare(given)
  const nullable = mayBeNull ? ' or null' : ''
  const name = nameOf(schema)
  const target = name === undefined ? undefined : page.schemaLink(name)
  if (target !== undefined) return html`<a href="${target}">${name}</a>${nullable}`
  const found = withFields(page.document, schema)
  if (found.enum?.length === 1) return html`<code>${JSON.stringify(found.enum[0])}</code>${nullable}`
  if (found.items) return html`list of ${typeName(page, found.items)}${nullable}`
  if (typeof found.additionalProperties === 'object') {
    return html`object of ${typeName(page, found.additionalProperties)}${nullable}`
  }
  if (found.oneOf ?? found.anyOf) return html`one of several${nullable}`
  const type = formats[found.format ?? ''] ?? String(found.type ?? 'any')
  return html`${type}${nullable}`
}

/** Returns the bounds of a value in words: `1 to 4096 characters`. */
function boundsOf({ minLength, maxLength, minItems, maxItems, minimum, maximum }: Schema): string | undefined {
  const range = (from: number | undefined, to: number | undefined, unit: string) => {
    if (to === undefined || to >= Number.MAX_SAFE_INTEGER) return undefined
    return `${from === undefined ? 'up to ' : `${from.toLocaleString('en')} to `}${to.toLocaleString('en')}${unit}`
  }
  return (
    range(minLength, maxLength, ' characters') ?? range(minItems, maxItems, ' entries') ?? range(minimum, maximum, '')
  )
}

/** Returns the anonymous object that a field holds, itself or in a list. */
function innerObject(page: Page, given: Schema): Schema | undefined {
  const { schema } = bare(given)
  const name = nameOf(schema)
  if (name !== undefined && page.schemaLink(name) !== undefined) return undefined
  const found = withFields(page.document, schema)
  if (found.items) return innerObject(page, found.items)
  return found.properties ? found : undefined
}

function valuesOf(page: Page, given: Schema): readonly unknown[] {
  const found = page.document.resolve(bare(given).schema)
  return found.items ? valuesOf(page, found.items) : (found.enum ?? [])
}

/** Returns the row of one field, with the fields of an object inside it. */
export function fieldRow(page: Page, name: string, schema: Schema, required: boolean | undefined): Html {
  const found = page.document.resolve(schema)
  const inner = innerObject(page, schema)
  const values = valuesOf(page, schema).filter((value) => value !== null)
  const bounds = boundsOf(found)
  return html`<div class="field">
    <dt><code>${name}</code> <span class="type">${typeName(page, schema)}</span>${
      required === true && html` <span class="required">required</span>`
    }${found.deprecated === true && html` <span class="deprecated">deprecated</span>`}</dt>
    <dd>${page.text(found.description ?? '')}${
      values.length > 1 && html`<p class="values">${values.map((value) => html`<code>${String(value)}</code> `)}</p>`
    }${
      (bounds !== undefined || found.default !== undefined) &&
      html`<p class="bounds">${bounds}${bounds !== undefined && found.default !== undefined && ' · '}${
        found.default !== undefined && html`default <code>${JSON.stringify(found.default)}</code>`
      }</p>`
    }${
      inner &&
      html`<details><summary>Fields of ${name}</summary>${fieldList(page, inner, required !== undefined)}</details>`
    }</dd>
  </div>`
}

/** Returns the fields of an object as a list. Requests also say which fields are required. */
export function fieldList(page: Page, schema: Schema, isRequest = false): Html {
  const { properties = {}, required = [] } = withFields(page.document, schema)
  const rows = Object.entries(properties).map(([name, field]) =>
    fieldRow(page, name, field, isRequest ? required.includes(name) : undefined),
  )
  return html`<dl class="fields">${rows}</dl>`
}
