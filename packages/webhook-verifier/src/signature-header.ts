import { refuse } from './error.ts'

/** The parts of X-Service-Signature: the signed text of `t`, and every `v1` in lower-case hex. */
export interface SignatureHeader {
  readonly timestamp: string
  readonly signatures: readonly string[]
}

const maxHeaderLength = 2_048
const elementForm = /^[ \t]*(\w+)=([^ \t]*)[ \t]*$/
/** Plain decimal seconds: `parseInt` would also accept 123abc and read 1e9 as 1. */
export const timestampForm = /^[1-9]\d{0,11}$/
const signatureForm = /^[\da-f]{64}$/

/**
 * Parses `t=<unix seconds>,v1=<hex>` (specification, "Signature"). Ignores spaces and tabs around an element, and
 * elements with other names, so that a later scheme can be added beside v1.
 *
 * @throws WebhookVerificationError malformed_header, duplicate_timestamp or malformed_timestamp
 */
export function parseSignatureHeader(text: string): SignatureHeader {
  if (text.length > maxHeaderLength) refuse('malformed_header')
  let timestamp = ''
  const signatures: string[] = []
  for (const element of text.split(',')) {
    const [, name, value = ''] = elementForm.exec(element) ?? refuse('malformed_header')
    if (name === 't') {
      if (timestamp) refuse('duplicate_timestamp')
      if (!timestampForm.test(value)) refuse('malformed_timestamp')
      timestamp = value
    }
    if (name === 'v1') {
      if (!signatureForm.test(value)) refuse('malformed_header')
      signatures.push(value)
    }
  }
  if (!timestamp || !signatures.length) refuse('malformed_header')
  return { timestamp, signatures }
}
