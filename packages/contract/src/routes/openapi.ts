import * as z from 'zod'
import { route } from '../route.ts'

/** The description of the API. */
export const openapi = {
  /** Returns this API as an OpenAPI 3.1 document, including its webhooks. Needs no credentials. */
  document: route('GET /openapi.json', {
    summary: 'Get the OpenAPI document',
    access: { keys: 'public' },
    response: z.record(z.string(), z.unknown()),
    // Only a request that is not valid HTTP, or whose headers are too large, is rejected.
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
    example: { output: {} },
  }),
}
