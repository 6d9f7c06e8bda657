import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import * as z from 'zod'
import { type ErrorCode, errors } from '../errors/errors.ts'
import { errorEnvelope, issue } from '../model/envelope.ts'

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const { message, requestId } = errorEnvelope.shape.error.shape

/** The details of `code`, optional when no single fact is always there. */
function detailsOf(code: ErrorCode) {
  const { details } = errors[code]
  if (details === undefined) return undefined
  const described = details.description ? details : details.describe('Facts about the error.')
  return details instanceof z.ZodObject && details.safeParse({}).success ? described.optional() : described
}

function schemaOf(code: ErrorCode) {
  const { meaning } = errors[code]
  const details = detailsOf(code)
  const error = z.object({
    code: z.literal(code).describe('The stable code to match on.'),
    message,
    ...(details && { details }),
    ...(code === 'VALIDATION_ERROR' && { issues: z.array(issue).describe('One entry for each fault.') }),
    requestId,
  })
  return z
    .object({ success: errorEnvelope.shape.success, error: error.describe('What went wrong.') })
    .meta({ id: code, description: `${meaning[0]?.toUpperCase()}${meaning.slice(1)}.` })
}

const allCodes = Object.keys(errors) as ErrorCode[]

/** The whole catalogue as schemas, each named by its code, and `Error` for codes that are not in it yet. */
export const errorSchemas: readonly z.ZodType[] = [
  errorEnvelope.meta({ id: 'Error', description: 'The envelope of every error; new codes may appear.' }),
  ...allCodes.map(schemaOf),
]

const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const waitHeader = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

function responseOf(codes: readonly [ErrorCode, ...ErrorCode[]]) {
  const { status } = errors[codes[0]]
  const schema = codes.length > 1 ? { anyOf: codes.map(component) } : component(codes[0])
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}.`).join('\n\n'),
    headers: status === 429 || status === 503 ? { ...requestIdHeader, ...waitHeader } : requestIdHeader,
    content: { 'application/json': { schema } },
  }
}

/** The answer to each code, named by it, for routes where no other code has that status; `Error` is for unknown ones. */
export const errorResponseComponents = {
  ...Object.fromEntries(allCodes.map((code) => [code, responseOf([code])])),
  Error: {
    description: 'Any other error, also codes that are newer than this document.',
    headers: requestIdHeader,
    content: { 'application/json': { schema: { anyOf: [...allCodes, 'Error'].map(component) } } },
  },
}

const response = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** The error answers of a route by HTTP status, and `default` for what this document does not know yet. */
export function errorResponses(codes: readonly ErrorCode[]): RouteConfig['responses'] {
  const byStatus = new Map<number, [ErrorCode, ...ErrorCode[]]>()
  for (const code of codes) {
    const together = byStatus.get(errors[code].status)
    if (together) together.push(code)
    else byStatus.set(errors[code].status, [code])
  }
  const known = [...byStatus].map(([status, some]) => [status, some.length > 1 ? responseOf(some) : response(some[0])])
  return { ...Object.fromEntries(known), default: response('Error') }
}
