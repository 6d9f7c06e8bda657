import { limits } from '@msgctl/contract'
import { apiError } from '../errors.ts'

/** What a code is sent with when the caller brings no template. */
export const defaultTemplate = 'Your code is {{code}}. It expires in {{expiry}} minutes.'

/** Throws OTP_TEMPLATE_MISSING_CODE for a template that would tell no code (specification, "One-time codes"). */
export function requireCodeIn(template: string): void {
  if (template.includes('{{code}}')) return
  throw apiError('OTP_TEMPLATE_MISSING_CODE', 'The template must contain {{code}}, where the code is put.')
}

/** The text of a code: every {{code}} is the code, every {{expiry}} the minutes for which it works. */
export function fillTemplate(template: string, code: string): string {
  const minutes = String(limits.otp.validSeconds / 60)
  return template.replace(/\{\{(code|expiry)\}\}/g, (_whole, name: string) => (name === 'code' ? code : minutes))
}
