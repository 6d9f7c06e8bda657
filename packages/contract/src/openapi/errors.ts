import type { RouteConfig } from '@asteasolutions/zod-to-openapi'
import * as z from 'zod'
import { type ErrorCode, errors } from '../errors/errors.ts'
import { errorExample } from '../examples/errors.ts'
import { errorEnvelope, issue } from '../model/envelope.ts'
import { headerReferences } from './headers.ts'

const { message, requestId } = errorEnvelope.shape.error.shape

/** Returns the name of the schema of a code: `NotFoundError` for NOT_FOUND, `GatewayError` for GATEWAY_ERROR. */
function errorName(code: ErrorCode): string {
  const words = code.replace(/_ERROR$/, '').toLowerCase()
  return `${words.replace(/(?:^|_)(.)/g, (_match, letter: string) => letter.toUpperCase())}Error`
}

const schemaOf = (code: ErrorCode) => ({ $ref: `#/components/schemas/${errorName(code)}` })

/** Returns the schema of the details of `code`, which is optional when none of its fields is required. */
function detailsSchema(code: ErrorCode) {
  const { details } = errors[code]
  if (details === undefined) return undefined
  // Details that several codes share have a name already.
  const description = details.description ?? `Facts about ${code}.`
  const named = details.meta()?.id ? details : details.meta({ id: `${errorName(code)}Details`, description })
  return details instanceof z.ZodObject && details.safeParse({}).success ? named.optional() : named
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
    .meta({ id: errorName(code), description: `${meaning[0]?.toUpperCase()}${meaning.slice(1)}.` })
}

const allCodes = Object.keys(errors) as ErrorCode[]

/** One schema for each code, and `ErrorResponse` for codes that are newer than the catalogue. */
export const errorSchemas: readonly z.ZodType[] = [
  errorEnvelope.meta({ id: 'ErrorResponse', description: 'The body of every error. New codes may appear.' }),
  ...allCodes.map(errorSchema),
]

function toResponse(codes: readonly [ErrorCode, ...ErrorCode[]]) {
  const { status } = errors[codes[0]]
  const waits = status === 429 || status === 503
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}.`).join('\n\n'),
    headers: headerReferences(
      'X-Request-Id',
      'RateLimit-Policy',
      'RateLimit',
      ...(waits ? (['Retry-After'] as const) : []),
    ),
    content: {
      'application/json': {
        schema: codes.length > 1 ? { anyOf: codes.map(schemaOf) } : schemaOf(codes[0]),
        examples,
      },
    },
  }
}

/** An example of each error, by its code. */
export const errorExampleComponents = Object.fromEntries(
  allCodes.map((code) => [code, { summary: errors[code].meaning, value: errorExample(code) }]),
)

/** Differs from the name of the schema, because generators put both into one namespace. */
const responseName = (code: ErrorCode) => errorName(code).replace(/Error$/, '')

/** One response for each code, used where a route lists no other code of that status, and one for unknown codes. */
export const errorResponseComponents = {
  ...Object.fromEntries(allCodes.map((code) => [responseName(code), toResponse([code])])),
  UnknownCode: {
    description: 'Any other error, with a code that is newer than this document.',
    headers: headerReferences('X-Request-Id'),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
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
  const known = [...byStatus].map(([status, some]) => [
    status,
    some.length > 1 ? toResponse(some) : response(responseName(some[0])),
  ])
  return { ...Object.fromEntries(known), default: response('UnknownCode') }
}
