import * as z from 'zod'

/** A successful answer that carries `success: true`; routes under /session that carry none use a plain object. */
export function ok<const S extends z.ZodRawShape>(shape: S) {
  return z.object({ success: z.literal(true).describe('Always true on a successful answer.'), ...shape })
}

/** The words `issues[].code` may use (specification, "Errors"). */
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

/** One fault of the input: which field, which rule, and a sentence for a person. */
export const issue = z.object({
  field: z.string().describe('The field at fault; a nested one reads `recipients.3.phone`.'),
  code: z.enum(issueCodes).describe('Which rule the field broke.'),
  message: z.string().describe('What is wrong, for a person.'),
  minimum: z.number().optional().describe('The smallest size or value allowed, with `too_small`.'),
  maximum: z.number().optional().describe('The largest size or value allowed, with `too_big`.'),
})
export type Issue = z.infer<typeof issue>

/** The one envelope of every error (specification, "Errors"). */
export const errorEnvelope = z.object({
  success: z.literal(false).describe('Always false on an error.'),
  error: z
    .object({
      code: z.string().describe('The stable code to match on.'),
      message: z.string().describe('What happened, for a person. Never match on it.'),
      details: z.record(z.string(), z.unknown()).optional().describe('Facts about the error, by code.'),
      issues: z.array(issue).optional().describe('With VALIDATION_ERROR: one entry for each fault.'),
      requestId: z.string().describe('Equal to the X-Request-Id header.'),
    })
    .describe('What went wrong.'),
})
export type ErrorEnvelope = z.infer<typeof errorEnvelope>
