import { readFileSync } from 'node:fs'
import { type RefusalReason, WebhookVerificationError } from '../error.ts'
import { sign } from '../sign.ts'

export const secret = `whsec_${'0123456789abcdef'.repeat(4)}`
export const otherSecret = `whsec_${'fedcba9876543210'.repeat(4)}`
export const nowSeconds = 1_790_812_800
export const nowMs = nowSeconds * 1000
export const now = () => nowMs
export const deliveryId = '3f8f5c1e-6d0b-4a52-b7f9-0c9d2e1a4b68'

export const body = JSON.stringify({
  event: 'message.failed',
  data: { messageId: '0b54cf2e-8f0f-4b6b-9a57-6c1d7a9e2f10', error: 'not on the network' },
  timestamp: '2026-10-01T00:00:00.000Z',
})

interface SignedHeadersOptions {
  readonly body?: string
  readonly secret?: string
  readonly extra?: Record<string, string>
  /** Seconds after `now` (default: 0). Each attempt of the service is signed at another time. */
  readonly after?: number
}

/** Returns the headers of a delivery. */
export async function signedHeaders(options: SignedHeadersOptions = {}) {
  const signature = await sign(options.body ?? body, options.secret ?? secret, nowSeconds + (options.after ?? 0))
  return { 'x-service-delivery': deliveryId, 'x-service-signature': signature, ...options.extra }
}

/** Returns the reason of a refusal, or `accepted`. Any other error fails the test. */
export async function reasonOf(verification: Promise<unknown>): Promise<RefusalReason | 'accepted'> {
  try {
    await verification
    return 'accepted'
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason
    throw error
  }
}

/** One vector of vectors.json. */
export interface Vector {
  readonly name: string
  readonly secrets: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly bodyBase64?: string
  readonly nowSeconds: number
  readonly toleranceSeconds?: number
  readonly allowUnsigned?: boolean
  readonly expect:
    | { readonly accept: true; readonly event: string; readonly deliveryId: string | null; readonly replayed: boolean }
    | { readonly accept: false; readonly reason: RefusalReason }
}

interface WorkedExample {
  readonly secret: string
  readonly t: number
  readonly body: string
  readonly key: { readonly hex: string; readonly v1: string }
  readonly wrongKeys: readonly { readonly is: string; readonly hex: string; readonly v1: string }[]
}

/** The committed vectors.json. */
export const published = JSON.parse(readFileSync(new URL('../../vectors.json', import.meta.url), 'utf8')) as {
  readonly workedExample: WorkedExample
  readonly vectors: readonly Vector[]
}
