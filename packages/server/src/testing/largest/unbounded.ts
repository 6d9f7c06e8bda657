import type * as z from 'zod'
import { type FieldSchema, inputSchema } from '#testing/matrix/fields.ts'

/** Formats whose texts have one length. */
const fixedFormats = new Set(['uuid', 'date'])
/** A pattern that takes a bounded number of characters of one class. */
const boundedPattern = /^\^\[[^\]]*\]\{\d+,\d+\}\$$/

/**
 * Returns the fields of an input that have no maximum: texts by characters, lists by entries, records by keys. Each is
 * named as VALIDATION_ERROR names it, with `*` for the entries of a list or a record.
 */
export function unboundedFields(schema: z.ZodType): string[] {
  return listUnbounded(inputSchema(schema), [])
}

function listUnbounded(schema: FieldSchema, path: readonly string[]): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => listUnbounded(one, path))
  if (schema.enum !== undefined || schema.const !== undefined) return []
  const own = isBounded(schema) ? [] : [path.join('.')]
  const { properties = {}, items, additionalProperties, propertyNames } = schema
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, inner]) => listUnbounded(inner, [...path, name])),
    ...(items ? listUnbounded(items, [...path, '*']) : []),
    ...(typeof additionalProperties === 'object' ? listUnbounded(additionalProperties, [...path, '*']) : []),
    ...(propertyNames ? listUnbounded(propertyNames, [...path, 'the keys']) : []),
  ]
}

function isBounded(schema: FieldSchema): boolean {
  const { type, format = '', pattern = '', maxLength, maxItems, maxProperties, additionalProperties } = schema
  switch (type) {
    case 'string':
      return maxLength !== undefined || fixedFormats.has(format) || boundedPattern.test(pattern)
    case 'array':
      return maxItems !== undefined
    case 'object':
      return typeof additionalProperties !== 'object' || maxProperties !== undefined || isNamed(schema)
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return true
    default:
      // Any value at all.
      return false
  }
}

/** Whether the keys of a record are a list of words. */
function isNamed({ propertyNames }: FieldSchema): boolean {
  return propertyNames?.enum !== undefined
}
