import type { ResponseConfig, RouteConfig } from '@asteasolutions/zod-to-openapi'
import * as z from 'zod'
import { descriptions } from '../generated/descriptions.ts'
import { declaresSuccess } from '../model/envelope.ts'
import { listErrors, type Route, splitEndpoint } from '../route.ts'
import { errorExampleComponents, errorResponseComponents, errorResponses } from './errors.ts'
import { headerReferences, headers, idempotencyKey, securityRequirements, securitySchemes } from './headers.ts'
import { codeSamples } from './samples/samples.ts'
import { countsAsChange, describeRoute } from './words.ts'

/** The components that operations refer to, in addition to the schemas. */
export const components = [
  ...Object.entries(headers).map(([name, header]) => ['headers', name, header] as const),
  ...Object.entries(errorResponseComponents).map(([name, response]) => ['responses', name, response] as const),
  ...Object.entries(errorExampleComponents).map(([name, example]) => ['examples', name, example] as const),
  ['parameters', 'Idempotency-Key', idempotencyKey] as const,
  ...Object.entries(securitySchemes).map(([name, scheme]) => ['securitySchemes', name, scheme] as const),
]

type Fields = Readonly<Record<string, unknown>>

const bytes = { type: 'string', format: 'binary' } as const

/** Returns the example response of a route, or undefined for the document itself. */
export function responseExample({ response, example: { output } }: Route): Fields | undefined {
  if (declaresSuccess(response)) return { success: true, ...output }
  return Object.keys(output).length === 0 ? undefined : output
}

/** Returns the content of the response of a route. */
function responseContent(route: Route): NonNullable<ResponseConfig['content']> {
  // A file is sent with its own type.
  if (route.download) return { '*/*': { schema: bytes } }
  const example = responseExample(route)
  const mediaType = route.stream ? 'text/event-stream' : 'application/json'
  return { [mediaType]: { schema: route.response, ...(example !== undefined && { example }) } }
}

function successResponse(route: Route): ResponseConfig {
  return {
    description: route.status === 202 ? 'Accepted.' : route.status === 201 ? 'Created.' : 'Done.',
    headers: headerReferences(
      'X-Request-Id',
      'X-Ignored-Fields',
      ...(countsAsChange(route) ? (['RateLimit-Policy', 'RateLimit'] as const) : []),
      ...(route.idempotent ? (['Idempotency-Key', 'Idempotency-Replayed'] as const) : []),
    ),
    content: responseContent(route),
  }
}

/** Returns the fields of a flat example that a schema has, or undefined without any. */
function part(schema: Route['body'], input: Fields): Fields | undefined {
  if (schema === undefined) return undefined
  const fields = Object.entries(input).filter(([name]) => name in schema.shape)
  return Object.fromEntries(fields)
}

/** Returns the schema of a multipart body: the fields of the JSON body, with the file in a part of its own. */
function multipartOf(body: NonNullable<Route['body']>) {
  const { content: _content, ...fields } = body.shape
  return z.object({ file: z.string().meta({ format: 'binary', description: 'The file.' }), ...fields })
}

function requestConfig({
  params,
  query,
  body,
  upload,
  example: { input },
}: Route): NonNullable<RouteConfig['request']> {
  const example = input && part(body, input)
  const content = body && {
    'application/json': { schema: body, ...(example && { example }) },
    ...(upload && { 'multipart/form-data': { schema: multipartOf(body) } }),
  }
  return {
    ...(params && { params }),
    ...(query && { query }),
    // The body is optional when every field is.
    ...(content && { body: { required: !body.safeParse({}).success, content } }),
  }
}

/** Returns a route as an operation. Its id looks like `alert.send`; its tag is the resource. */
export function toOperation(resource: string, name: string, route: Route): RouteConfig {
  const { method, path } = splitEndpoint(route.endpoint)
  const words = descriptions[`${resource}.${name}`]
  return {
    method: method.toLowerCase() as Lowercase<typeof method>,
    path: path.replace(/:(\w+)/g, '{$1}'),
    operationId: `${resource}.${name}`,
    summary: route.summary,
    description: [words, describeRoute(route)].filter(Boolean).join('\n\n'),
    tags: [resource],
    security: securityRequirements(route),
    'x-codeSamples': codeSamples(resource, name, route),
    ...(route.idempotent && { parameters: [{ $ref: '#/components/parameters/Idempotency-Key' }] }),
    request: requestConfig(route),
    responses: {
      [route.status]: successResponse(route),
      ...errorResponses(listErrors(route)),
    },
  }
}
