import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** A webhook of a session's configuration. */
export interface WebhookTarget {
  readonly url: string
  readonly events: readonly string[]
  readonly hmac?: { readonly key?: string }
  readonly retries?: { readonly attempts?: number }
}

/** How webhooks reach their target. */
export interface WebhookRoad {
  /** Waits before a retry, doubled with each one. */
  readonly retryMs: number
  readonly longestRetryMs: number
  /** Each webhook is late by a random time up to this, so that they overtake each other. */
  readonly delayMs: number
  /** The share of webhooks that are sent twice. */
  readonly doubled: number
}

/** Where webhooks go by default: at once, once, and in order. */
export const straightRoad: WebhookRoad = { retryMs: 50, longestRetryMs: 1000, delayMs: 0, doubled: 0 }

/** Sends webhooks as WAHA does: signed, retried, and in no order. */
export interface WebhookSender {
  /** Resolves when the webhook was accepted or given up. */
  send(targets: readonly WebhookTarget[], event: string, envelope: { readonly session: string }): Promise<void>
  setRoad(road: Partial<WebhookRoad>): void
  /** How many are on their way. */
  pending(): number
  stop(): void
}

const defaultAttempts = 15

export interface WebhookSenderOptions {
  readonly road: WebhookRoad
  /** Returns where a URL of a configuration leads; null while there is no such place. */
  resolve(url: string): string | null
  random?(): number
}

export function webhookSender(options: WebhookSenderOptions): WebhookSender {
  const { resolve, random = Math.random } = options
  const stopped = new AbortController()
  let road = options.road
  let pending = 0

  async function attempt(url: string, body: string, headers: Record<string, string>): Promise<boolean> {
    const target = resolve(url)
    if (target === null) return false
    try {
      const response = await fetch(target, { method: 'POST', body, headers, signal: stopped.signal })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }

  async function deliver(target: WebhookTarget, body: string): Promise<void> {
    if (road.delayMs > 0) await pause(random() * road.delayMs)
    const headers = {
      'content-type': 'application/json',
      'x-webhook-request-id': randomBytes(16).toString('hex'),
      'x-webhook-timestamp': String(Date.now()),
      ...(target.hmac?.key ? signature(target.hmac.key, body) : {}),
    }
    const attempts = target.retries?.attempts ?? defaultAttempts
    for (let n = 0; n < attempts && !stopped.signal.aborted; n++) {
      if (await attempt(target.url, body, headers)) return
      await pause(Math.min(road.retryMs * 2 ** n, road.longestRetryMs))
    }
  }

  async function pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: stopped.signal }).catch(() => undefined)
  }

  /** The last webhook of each session, where they go in order. */
  const last = new Map<string, Promise<void>>()

  /** On a straight road a webhook waits for the one before. */
  function inOrder(session: string, target: WebhookTarget, body: string): Promise<void> {
    if (road.delayMs > 0) return deliver(target, body)
    const after = (last.get(session) ?? Promise.resolve()).then(() => deliver(target, body))
    last.set(session, after)
    return after
  }

  return {
    async send(targets, event, envelope) {
      const body = JSON.stringify(envelope)
      const wanted = targets.filter(({ events }) => events.includes(event) || events.includes('*'))
      const copies = wanted.flatMap((target) => (random() < road.doubled ? [target, target] : [target]))
      pending += copies.length
      await Promise.all(copies.map((target) => inOrder(envelope.session, target, body).finally(() => pending--)))
    },
    setRoad(change) {
      road = { ...road, ...change }
    },
    pending: () => pending,
    stop: () => stopped.abort(),
  }
}

/** WAHA signs the raw body. */
export function signature(key: string, body: string): Record<string, string> {
  return {
    'x-webhook-hmac': createHmac('sha512', key).update(body).digest('hex'),
    'x-webhook-hmac-algorithm': 'sha512',
  }
}
