import { limits } from '@msgctl/contract'
import { apiError } from '#platform/errors.ts'

/** The template of requests without one. */
export const defaultTemplate = 'Your code is {{code}}. It expires in {{expiry}} minutes.'

/** Throws OTP_TEMPLATE_MISSING_CODE for a template without {{code}} (specification, "One-time codes"). */
export function requireCodeIn(template: string): void {
  if (template.includes('{{code}}')) return
  throw apiError('OTP_TEMPLATE_MISSING_CODE', 'The template must contain {{code}}.')
}

/** Returns the text with the code: {{code}} becomes the code, {{expiry}} the minutes for which it is valid. */
export function fillTemplate(template: string, code: string): string {
  const minutes = String(limits.otp.validSeconds / 60)
  return template.replace(/\{\{(code|expiry)\}\}/g, (_whole, name: string) => (name === 'code' ? code : minutes))
}
