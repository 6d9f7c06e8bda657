import { MessagingClient, type MessagingError } from '@msgctl/client'
import { fakeService } from '@msgctl/client/testing'
import { expect, it } from 'vitest'
import { findHint } from './hint.ts'

it.each(['PRODUCT_REQUIRED', 'NO_ACTIVE_PRODUCT'] as const)('%s leads to the list of products', async (code) => {
  const fake = fakeService()
  fake.failOnce('alert.send', code, { products: ['notify'] })
  const client = new MessagingClient({ baseUrl: 'https://fake.invalid/api/v1', apiKey: 'fake', fetch: fake.fetch })
  const error = await client.alert.send({ phone: '+12025550100', message: 'hi' }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code })
  expect(findHint(error as MessagingError)).toBe('List the products with: msgctl account me')
})

it.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', /NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate', /NODE_EXTRA_CA_CERTS/],
  ['CERT_HAS_EXPIRED', 'certificate has expired', /Ask the operator for a valid certificate/],
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1', /Check that the service is running/],
])('a connection that fails with %s leads to its repair', async (code, message, advice) => {
  const fetch = () => Promise.reject(Object.assign(new Error(message), { code }))
  const client = new MessagingClient({ baseUrl: 'https://fake.invalid/api/v1', apiKey: 'fake', fetch, maxRetries: 0 })
  const error = await client.account.me().catch((thrown: unknown) => thrown)
  expect(findHint(error as MessagingError)).toMatch(advice)
})

it.each([
  ['This session token is not known or has expired. Sign in again.', 'msgctl login --email'],
  ['This API key is not known. It may have been regenerated.', 'store another with msgctl login'],
])('a credential that is refused leads to another of its kind: %s', async (message, advice) => {
  const response = { success: false, error: { code: 'AUTH_ERROR', message } }
  const fetch = async () => new Response(JSON.stringify(response), { status: 401 })
  const client = new MessagingClient({ baseUrl: 'https://fake.invalid/api/v1', apiKey: 'fake', fetch, maxRetries: 0 })
  const error = await client.account.me().catch((thrown: unknown) => thrown)
  expect(findHint(error as MessagingError)).toContain(advice)
})

it('a held queue leads to its release, not to a new link', async () => {
  const response = { success: false, error: { code: 'NO_SESSION_CONFIGURED', message: 'what was queued is held.' } }
  const fetch = async () => new Response(JSON.stringify(response), { status: 400 })
  const client = new MessagingClient({ baseUrl: 'https://fake.invalid/api/v1', apiKey: 'fake', fetch, maxRetries: 0 })
  const error = await client.alert.send({ phone: '+12025550100', message: 'hi' }).catch((thrown: unknown) => thrown)
  expect(findHint(error as MessagingError)).toContain('msgctl numbers release')
})

it('a receiver on this machine leads to forwarding, and the operator to the setting', async () => {
  const message = 'webhookUrl must be a public address, and 127.0.0.1 is private or local'
  const response = { success: false, error: { code: 'VALIDATION_ERROR', message } }
  const fetch = async () => new Response(JSON.stringify(response), { status: 400 })
  const client = new MessagingClient({ baseUrl: 'https://fake.invalid/api/v1', apiKey: 'fake', fetch, maxRetries: 0 })
  const hintOf = async (call: Promise<unknown>) => findHint((await call.catch((thrown) => thrown)) as MessagingError)
  const webhook = await hintOf(client.webhook.set({ webhookUrl: 'http://127.0.0.1:4000/' }))
  expect(webhook).toMatch(/events tail --forward-to URL.*ALLOW_PRIVATE_TARGETS/)
  const image = { phone: '+12025550100', imageUrl: 'http://127.0.0.1:4000/a.png' }
  const media = await hintOf(client.alert.sendImage(image))
  expect(media).toMatch(/^On your own server, ALLOW_PRIVATE_TARGETS/)
})
