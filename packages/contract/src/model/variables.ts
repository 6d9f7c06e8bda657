import * as z from 'zod'
import { text } from './fields.ts'
import { limits } from './limits.ts'
import { variableKey } from './placeholders.ts'

const keyShape = new RegExp(`^[^{}\\p{Cc}\\p{Cs}]{1,${limits.variables.key}}$`, 'u')
const keyRule = `a key has 1 to ${limits.variables.key} characters, without braces and control characters`

/** The values of a template's placeholders: at most 50, keys in any language. Parsing applies {@link variableKey}. */
export const variables = z
  .record(z.string().overwrite(variableKey).regex(keyShape, keyRule), text(0, limits.variables.value), {
    error: (issue) => (issue.code === 'invalid_key' ? keyRule : undefined),
  })
  .check((context) => {
    if (Object.keys(context.value).length <= limits.variables.entries) return
    context.issues.push({
      code: 'too_big',
      origin: 'object',
      maximum: limits.variables.entries,
      inclusive: true,
      input: context.value,
      message: `must have at most ${limits.variables.entries} entries`,
    })
  })
  .meta({ maxProperties: limits.variables.entries })

/** The values of one recipient or reminder in a response. */
export const storedVariables = z.record(z.string(), z.string()).describe('Values of the placeholders.')
