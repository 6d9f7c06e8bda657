import * as z from 'zod'

/** The prefixes of the two kinds of keys; 64 hexadecimal characters follow. */
export const keyPrefixes = { account: 'msk_', number: 'msn_' } as const
export type KeyOwner = keyof typeof keyPrefixes

/** The form of each kind of key. */
export const keyForms = {
  account: /^msk_[0-9a-f]{64}$/,
  number: /^msn_[0-9a-f]{64}$/,
} as const satisfies Record<KeyOwner, RegExp>

/** The form of the tokens of AI clients, which work only at /mcp. */
export const connectionTokenForms = { access: /^mat_[0-9a-f]{64}$/, refresh: /^mrt_[0-9a-f]{64}$/ } as const

/** The form of a webhook signing secret. */
export const signingSecretForm = /^whsec_[0-9a-f]{64}$/

/** A new key in a response. Keys are stored hashed and cannot be shown again. */
export const apiKey = {
  account: z.string().regex(keyForms.account).describe('The key. It cannot be shown again.'),
  number: z.string().regex(keyForms.number).describe('The key. It cannot be shown again.'),
}
export const apiKeyPreview = z.string().describe('Masked beginning of the key.')
export const warning = z.string().describe('What to do with the key or secret, in words.')
export const signingSecret = z.string().regex(signingSecretForm)
