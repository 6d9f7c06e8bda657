import * as z from 'zod'

/** A successful response with `success: true`. Routes under /session without it use a plain object. */
export function ok<const S extends z.ZodRawShape>(shape: S) {
  return z.object({ success: z.literal(true).describe('Always true in a successful response.'), ...shape })
}

/** An object that has a name of its own in the OpenAPI document. */
export function named<const S extends z.ZodRawShape>(id: string, description: string, shape: S) {
  return z.object(shape).meta({ id, description })
}

/** Whether a response carries `success: true`. */
export function declaresSuccess(response: z.ZodType): boolean {
  const parts = response instanceof z.ZodUnion ? response.options : [response]
  return parts.every((part) => part instanceof z.ZodObject && 'success' in part.shape)
}

/** The values of `issues[].code` (specification, "Errors"). */
export const issueCodes = [
  'required',
  'invalid_type',
  'too_small',
  'too_big',
  'invalid_uuid',
  'invalid_phone',
  'invalid_datetime',
  'invalid_url',
  'invalid_enum',
  'custom',
] as const
export type IssueCode = (typeof issueCodes)[number]

/** One invalid field: its name, the rule it broke, and a message. */
export const issue = named('Issue', 'One invalid field.', {
  field: z.string().describe('The invalid field; a nested one looks like `recipients.3.phone`.'),
  code: z.enum(issueCodes).describe('The rule that the field broke.'),
  message: z.string().describe('The problem in words.'),
  minimum: z.number().optional().describe('The smallest size or value allowed, with `too_small`.'),
  maximum: z.number().optional().describe('The largest size or value allowed, with `too_big`.'),
})
export type Issue = z.infer<typeof issue>

/** The body of every error response (specification, "Errors"). */
export const errorEnvelope = z.object({
  success: z.literal(false).describe('Always false in an error.'),
  error: z
    .object({
      code: z.string().describe('The stable code to match on.'),
      message: z.string().describe('The error in words. Do not match on it.'),
      details: z.record(z.string(), z.unknown()).optional().describe('Facts about the error, by code.'),
      issues: z.array(issue).optional().describe('With VALIDATION_ERROR: one entry for each invalid field.'),
      requestId: z.string().describe('Equal to the X-Request-Id header.'),
    })
    .describe('What went wrong.'),
})
export type ErrorEnvelope = z.infer<typeof errorEnvelope>
