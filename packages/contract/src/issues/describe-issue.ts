import type * as z from 'zod'

const types: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be null',
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  datetime: 'must be an ISO 8601 time like 2026-10-01T09:00:00Z',
  url: 'must be a URL',
  email: 'must be an e-mail address',
}

const shownValues = 12

/**
 * Describes a fault as the rest of a sentence that begins with the field's name. Rules of the contract with a message
 * of their own keep it.
 */
export function describeIssue(fault: z.core.$ZodRawIssue): string {
  switch (fault.code) {
    case 'invalid_type':
      return types[fault.expected] ?? 'has the wrong type'
    case 'too_small':
      return `must ${size(fault.origin, 'at least', 'more than', fault.inclusive, fault.minimum)}`
    case 'too_big':
      return `must ${size(fault.origin, 'at most', 'less than', fault.inclusive, fault.maximum)}`
    case 'invalid_format':
      return formats[fault.format] ?? 'has the wrong form'
    case 'invalid_value':
      return oneOf(fault.values)
    case 'not_multiple_of':
      return `must be a multiple of ${fault.divisor}`
    case 'invalid_key':
      return 'has a key that is not allowed'
    case 'unrecognized_keys':
      return `has no field ${named(fault.keys)}`
    case 'invalid_union':
      return 'has none of the accepted forms'
    default:
      return 'is not valid'
  }
}

/** Returns keys that a caller chose, some of them and none in full length. */
function named(keys: readonly string[]): string {
  const shown = keys.slice(0, 3).map((key) => key.slice(0, 50))
  return `${shown.join(', ')}${keys.length > shown.length ? ' ...' : ''}`
}

function size(
  origin: string,
  within: string,
  beyond: string,
  inclusive: boolean | undefined,
  limit: number | bigint,
): string {
  const amount = `${inclusive === false ? beyond : within} ${limit}`
  if (origin === 'string') return `have ${amount} ${limit === 1 ? 'character' : 'characters'}`
  if (origin === 'array' || origin === 'set') return `have ${amount} ${limit === 1 ? 'entry' : 'entries'}`
  return `be ${amount}`
}

function oneOf(values: readonly unknown[]): string {
  if (values.length === 1) return `must be ${String(values[0])}`
  const shown = values.slice(0, shownValues).map(String).join(', ')
  return `must be one of ${shown}${values.length > shownValues ? ' ...' : ''}`
}
