import { limits } from '@msgctl/contract'
import type { AddressLimitName } from '#api/access/limit-key.ts'
import { newEmail, password } from '#testing/features/person.ts'
import type { TestClient } from '#testing/start-server.ts'
import { clientAt, codeOf, codeOfResponse, type LimitedCallers, type LimitUse, newAddress } from './limit-use.ts'

/** Calls from two networks, and from another address of the first. */
function fromAddresses(call: (ip: string) => Promise<string | undefined>): LimitedCallers {
  const [a, b] = [newAddress(), newAddress()]
  const likeA = a.replace(/1$/, '2')
  return { a: () => call(a), b: () => call(b), likeA: () => call(likeA) }
}

function ofClient(call: (client: TestClient) => Promise<unknown>): LimitUse {
  return async (world) => fromAddresses((ip) => codeOf(call(clientAt(world, ip))))
}

function ofRequest(path: string, init: RequestInit): LimitUse {
  return async ({ server }) =>
    fromAddresses((ip) => {
      const headers = { ...init.headers, 'x-forwarded-for': ip }
      return codeOfResponse(fetch(`${server.baseUrl}${path}`, { redirect: 'manual', ...init, headers }))
    })
}

const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }

/** Two callers of each limit of addresses. */
export const usesByAddress: Readonly<Record<AddressLimitName, LimitUse>> = {
  'sign-ins': ofClient((client) => client.auth.signIn({ email: newEmail(), password })),
  // A password that others can guess is refused after it was counted, and before it costs a hash.
  'sign-ups': ofClient((client) => {
    const email = newEmail()
    return client.auth.signUp({ name: 'Ada', email, password: email, organizationName: 'Engines' })
  }),
  'welcome codes': ofClient((client) => client.auth.welcome({ code: 'made-up' })),
  codes: ofClient((client) => client.auth.secondStep({ challenge: 'made-up', code: '000000' })),
  'requests for a new password': ofClient((client) => client.auth.forgotPassword({ email: newEmail() })),
  'new passwords': ofClient((client) => client.auth.resetPassword({ token: 'made-up', password })),
  confirmations: ofClient((client) => client.auth.verifyEmail({ token: 'made-up' })),
  invitations: ofClient((client) => client.auth.invitation({ token: 'made-up' })),
  joins: ofClient((client) => client.auth.join({ token: 'made-up', password })),
  'registrations of AI clients': ofRequest('/oauth/register', json),
  'requests of AI clients': ofRequest('/oauth/authorize', {}),
  'failed requests for tokens': ofRequest('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'https://ai.example.com/client.json', grant_type: 'refresh_token' }),
  }),
  'revocations of AI clients': ofRequest('/oauth/revoke', {
    method: 'POST',
    body: new URLSearchParams({ token: 'made-up' }),
  }),
  // Counted in the memory of the process.
  requests: async (world) => {
    const callers = await ofRequest('/auth/sign-in', json)(world)
    return { ...callers, useUp: () => Promise.all(Array.from({ length: limits.publicRequestsPerMinute }, callers.a)) }
  },
}
