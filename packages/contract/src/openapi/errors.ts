import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import * as z from 'zod'
import { type ErrorCode, errors } from '../errors/errors.ts'
import { errorEnvelope, issue } from '../model/envelope.ts'

const component = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const { message, requestId } = errorEnvelope.shape.error.shape

/** Returns the schema of the details of `code`, which is optional when none of its fields is required. */
function detailsSchema(code: ErrorCode) {
  const { details } = errors[code]
  if (details === undefined) return undefined
  const described = details.description ? details : details.describe('Facts about the error.')
  return details instanceof z.ZodObject && details.safeParse({}).success ? described.optional() : described
}

function errorSchema(code: ErrorCode) {
  const { meaning } = errors[code]
  const details = detailsSchema(code)
  const error = z.object({
    code: z.literal(code).describe('The stable code to match on.'),
    message,
    ...(details && { details }),
    ...(code === 'VALIDATION_ERROR' && { issues: z.array(issue).describe('One entry for each invalid field.') }),
    requestId,
  })
  return z
    .object({ success: errorEnvelope.shape.success, error: error.describe('What went wrong.') })
    .meta({ id: code, description: `${meaning[0]?.toUpperCase()}${meaning.slice(1)}.` })
}

const allCodes = Object.keys(errors) as ErrorCode[]

/** One schema for each code, named by the code, and `Error` for codes that are newer than the catalogue. */
export const errorSchemas: readonly z.ZodType[] = [
  errorEnvelope.meta({ id: 'Error', description: 'The envelope of every error; new codes may appear.' }),
  ...allCodes.map(errorSchema),
]

const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const waitHeader = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

function toResponse(codes: readonly [ErrorCode, ...ErrorCode[]]) {
  const { status } = errors[codes[0]]
  const schema = codes.length > 1 ? { anyOf: codes.map(component) } : component(codes[0])
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}.`).join('\n\n'),
    headers: status === 429 || status === 503 ? { ...requestIdHeader, ...waitHeader } : requestIdHeader,
    content: { 'application/json': { schema } },
  }
}

/** One response for each code, used where a route lists no other code of that status, and `Error` for unknown codes. */
export const errorResponseComponents = {
  ...Object.fromEntries(allCodes.map((code) => [code, toResponse([code])])),
  Error: {
    description: 'Any other error, including codes that are newer than this document.',
    headers: requestIdHeader,
    content: { 'application/json': { schema: { anyOf: [...allCodes, 'Error'].map(component) } } },
  },
}

const response = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** Returns the error responses of a route by HTTP status, and `default` for codes newer than this document. */
export function errorResponses(codes: readonly ErrorCode[]): RouteConfig['responses'] {
  const byStatus = new Map<number, [ErrorCode, ...ErrorCode[]]>()
  for (const code of codes) {
    const sameStatus = byStatus.get(errors[code].status)
    if (sameStatus) sameStatus.push(code)
    else byStatus.set(errors[code].status, [code])
  }
  const known = [...byStatus].map(([status, some]) => [status, some.length > 1 ? toResponse(some) : response(some[0])])
  return { ...Object.fromEntries(known), default: response('Error') }
}
