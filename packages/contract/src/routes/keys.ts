import * as z from 'zod'

/** What the two kinds of key begin with; 64 hexadecimal characters follow. */
export const keyPrefixes = { account: 'msk_', number: 'msn_' } as const
export type KeyOwner = keyof typeof keyPrefixes

/** Exactly what a key of each kind looks like. */
export const keyForms = {
  account: /^msk_[0-9a-f]{64}$/,
  number: /^msn_[0-9a-f]{64}$/,
} as const satisfies Record<KeyOwner, RegExp>

/** The signing secret of webhooks. */
export const signingSecretForm = /^whsec_[0-9a-f]{64}$/

/** A new key in an answer. It is stored hashed, so this is the only time it is seen. */
export const apiKey = {
  account: z.string().regex(keyForms.account).describe('The key. It is shown this once only.'),
  number: z.string().regex(keyForms.number).describe('The key. It is shown this once only.'),
}
export const apiKeyPreview = z.string().describe('Masked beginning of the key.')
export const warning = z.string().describe('What to mind, for a person.')
export const signingSecret = z.string().regex(signingSecretForm)
