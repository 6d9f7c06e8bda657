import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { strangersChange } from './changes.ts'
import { type Answer, errorSchemas, type Json, withoutAllOf } from './document.ts'
import type { RequestDraft } from './request-builder.ts'
import type { Received, Sent } from './wire.ts'

/** Compares responses with the document. */
export interface Oracle {
  /** Everything that is wrong with an answer; empty when nothing is. */
  faults(draft: RequestDraft, sent: Sent, received: Received): string[]
}

/** Codes of failures that the simulated network makes on purpose. */
const ofTheNetwork = new Set([
  'GATEWAY_ERROR',
  'GATEWAY_SESSION_ERROR',
  'GATEWAY_UNREACHABLE',
  'UPSTREAM_TIMEOUT',
  'NUMBER_VALIDATION_UNAVAILABLE',
])

/** The media type of a response that is a file, which has the type of the file. */
const anyFile = '*/*'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A copy whose objects allow no property that the document does not name. */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]))
  const open = copy.type === 'object' && copy.properties && copy.additionalProperties === undefined
  return open ? { ...copy, additionalProperties: false } : copy
}

type Validators = (pointer: string) => ValidateFunction

function validatorsOf(document: Json): Validators {
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  return (pointer) => {
    const validate = ajv.getSchema(`openapi${pointer}`)
    if (!validate) throw new Error(`the document has no schema at ${pointer}`)
    return validate as ValidateFunction
  }
}

/**
 * What the body said, undefined when it is no JSON. A byte order mark before it may be ignored (RFC 8259, section 8.1).
 */
function parsed(text: string): Json {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

/** Makes a judge from the document that the service itself hands out. */
export function createOracle(document: Json): Oracle {
  const answers = validatorsOf(closed(withoutAllOf(document)))
  const schemaNames = errorSchemas(document)
  const requests = validatorsOf(document)

  function held(validate: ValidateFunction, body: unknown): string[] {
    if (validate(body)) return []
    return [`the body is not what the document says: ${JSON.stringify(validate.errors?.slice(0, 3))}`]
  }

  function errorFaults(answer: Answer | undefined, { status, headers }: Received, body: Json): string[] {
    const code = String(body?.error?.code)
    const faults = held(answers(`#/components/schemas/${schemaNames.get(code) ?? 'ErrorResponse'}`), body)
    if (!answer?.codes.includes(code)) faults.push(`${status} ${code} is not documented for this operation`)
    if (body?.error?.requestId !== headers['x-request-id']) faults.push('requestId is not X-Request-Id')
    const wait = body?.error?.details?.retryAfterSeconds
    if (wait !== undefined && headers['retry-after'] !== String(wait)) faults.push('Retry-After is not the wait')
    if (status >= 500 && !ofTheNetwork.has(code)) faults.push(`${code} is a failure of the service`)
    return faults
  }

  function successFaults(answer: Answer | undefined, { status, headers, text }: Received, body: Json): string[] {
    if (!answer) return [`${status} is not documented for this operation`]
    if (answer.mediaType !== anyFile && !headers['content-type']?.startsWith(answer.mediaType))
      return [`content-type is ${headers['content-type']}`]
    if (answer.mediaType === anyFile) return []
    const validate = answers(answer.pointer)
    if (answer.mediaType === 'application/json') return held(validate, body)
    const frames = text.split('\n\n').slice(0, -1)
    const events = frames.flatMap((frame) => frame.match(/^data: (.*)$/m)?.[1] ?? [])
    return events.flatMap((event) => held(validate, parsed(event)))
  }

  /** What the document forbids to send must not have been done, nor anything with what belongs to others. */
  function acceptedFaults({ operation, changes, headers }: RequestDraft, { body }: Sent): string[] {
    // The key of a number uses that number, whichever the request names.
    const numberKey = headers.some(([name, value]) => name === 'x-api-key' && value.startsWith('msn_'))
    if (changes.length === 1 && changes[0] === strangersChange && !numberKey) {
      return ["another organization's id was accepted"]
    }
    if (!operation.body || !body?.length) return []
    const validate = requests(operation.bodyPointer)
    const json = parsed(body.toString())
    if (json === undefined) return ['a body that is no JSON was accepted']
    return validate(json) ? [] : [`was accepted against the document: ${JSON.stringify(validate.errors?.slice(0, 3))}`]
  }

  return {
    faults(draft, sent, received) {
      const { status, headers, text } = received
      const faults = uuid.test(String(headers['x-request-id'])) ? [] : ['there is no X-Request-Id']
      const body = parsed(text)
      const answer = draft.operation.answers.get(status)
      if (status < 400) {
        faults.push(...successFaults(answer, received, body), ...acceptedFaults(draft, sent))
      } else if (!mayBeUnknown(draft) || body?.error?.code !== 'ROUTE_NOT_FOUND') {
        faults.push(...errorFaults(answer, received, body))
      }
      return faults
    },
  }
}

/** Whether the path may have become that of no operation, or of another one: a parameter that is empty or a dot. */
function mayBeUnknown({ params }: RequestDraft): boolean {
  return [...params.values()].some((value) => value === '' || value === '.' || value === '%2e%2e')
}
