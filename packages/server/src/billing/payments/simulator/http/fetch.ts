import { randomUUID } from 'node:crypto'
import type { PaySim } from '#billing/payments/simulator/context.ts'
import { customerIdOf } from '#billing/payments/simulator/customer-id.ts'
import { type CallFault, takeCallFault } from '#billing/payments/simulator/fault-store.ts'
import { ownerOf } from '#billing/payments/simulator/store.ts'
import { type ApiResponse, answer } from './answer.ts'
import { readForm, textOf } from './form.ts'

/** An id of an object that belongs to a customer. */
const ofCustomer = /\b(?:cus|cs_test|sub|in|ch|pi|pm|bps)_[0-9A-Za-z]{14,}/

/** Returns the organization that a call is about, by its customer, its metadata or what it searches for. */
async function organizationOf(sim: PaySim, path: string, form: string): Promise<string | null> {
  const params = readForm(form)
  const named =
    textOf(params, 'metadata', 'organizationId') ?? /'([0-9a-f-]{36})'/.exec(textOf(params, 'query') ?? '')?.[1]
  if (named !== undefined) return named
  const id = ofCustomer.exec(path)?.[0] ?? textOf(params, 'customer') ?? textOf(params, 'charge')
  return id === undefined ? null : ownerOf(sim.db, customerIdOf(id))
}

function respond({ status, body }: ApiResponse): Response {
  const id = `req_${randomUUID().replaceAll('-', '').slice(0, 14)}`
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'request-id': id },
  })
}

/** A connection that broke, as fetch reports it. */
function broken(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
}

function never(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

const failing: Readonly<Record<'error' | 'limited', ApiResponse>> = {
  error: { status: 500, body: { error: { type: 'api_error', message: 'A test lets the simulator fail.' } } },
  limited: {
    status: 429,
    body: { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many.' } },
  },
}

async function withFault(
  fault: CallFault | null,
  signal: AbortSignal | null | undefined,
  call: () => Promise<ApiResponse>,
): Promise<Response> {
  if (fault === 'refused') throw broken('ECONNREFUSED')
  if (fault === 'silent') return never(signal)
  if (fault === 'error' || fault === 'limited') return respond(failing[fault])
  const response = await call()
  if (fault === 'answer_lost') throw broken('ECONNRESET')
  return respond(response)
}

/** Returns what carries the calls of the provider's library to the simulator: no network is involved. */
export function simulatedFetch(sim: PaySim): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const method = init?.method ?? 'GET'
    const form = method === 'POST' ? String(init?.body ?? '') : url.search.slice(1)
    const name = `${method} ${url.pathname}`
    const idempotencyKey = new Headers(init?.headers).get('idempotency-key')
    const organizationId = await organizationOf(sim, url.pathname, form)
    const fault = organizationId === null ? null : await takeCallFault(sim.db, organizationId, name)
    return withFault(fault, init?.signal, () =>
      answer(sim, { name, form, idempotencyKey: method === 'POST' ? idempotencyKey : null }),
    )
  }
}
