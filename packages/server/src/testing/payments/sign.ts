import { createHmac } from 'node:crypto'
import type { TestServer } from '#testing/start-server.ts'

/** What tests set as STRIPE_WEBHOOK_SECRET. */
export const testWebhookSecret = 'whsec_0123456789abcdef'

/** Returns the header with which the provider signs these bytes; `ageSeconds` is by the clock of this machine. */
export function signed(body: string, { secret = testWebhookSecret, ageSeconds = 0 } = {}): string {
  const time = Math.floor(Date.now() / 1000) - ageSeconds
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}

/** Posts bytes to the service as an event of the provider. Returns the status, and the code of a refusal. */
export async function postEvent(
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  body: string,
  signature: string | null = signed(body),
): Promise<{ status: number; code?: string; reason?: string }> {
  const response = await fetch(`${baseUrl}/payments/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(signature !== null && { 'stripe-signature': signature }) },
    body,
  })
  const { error } = (await response.json()) as { error?: { code: string; details?: { reason?: string } } }
  return {
    status: response.status,
    ...(error && { code: error.code }),
    ...(error?.details?.reason !== undefined && { reason: error.details.reason }),
  }
}

/** Returns the text of an event about a customer. */
export function eventText(change: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    id: `evt_${crypto.randomUUID()}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    type: 'customer.subscription.updated',
    data: { object: { id: 'sub_1', object: 'subscription', customer: 'cus_unknown', status: 'active' } },
    ...change,
  })
}
