import { signingSecretForm } from '@msgctl/contract'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeTenant, makeToken, startEdge, type Tenant } from '#testing/features/http-edge.ts'
import { webhookHandlers } from './routes.ts'

const secrets = openSecrets(newSecretsKeys())
const handlers = { webhook: webhookHandlers }
const env = { ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' }
const edge = await startEdge(handlers, { env, services: { secrets } })
const unsealed = await startEdge(handlers)
const { db } = edge

const call = (tenant: Tenant, method: string, path: string, body?: unknown, on = edge) =>
  on.call(method, path, { key: tenant.key, body })
const set = (tenant: Tenant, webhookUrl: unknown, on = edge) => call(tenant, 'PUT', '/me/webhook', { webhookUrl }, on)
const regenerate = (tenant: Tenant, body?: unknown, on = edge) =>
  call(tenant, 'POST', '/me/webhook/regenerate-secret', body, on)

const url = 'https://example.com/hook?token=abc'

async function activity({ organizationId }: Tenant): Promise<unknown[]> {
  return rows(
    db,
    `select actor_kind, actor_id, action, details from activity_log where organization_id = :organizationId
      order by id`,
    { organizationId },
  )
}

describe('PUT /me/webhook', () => {
  it('makes the secret with the first address, shows it once, and keeps it for the next ones', async () => {
    const tenant = await makeTenant(db)
    const first = await set(tenant, url)
    expect(first).toMatchObject({ status: 200, body: { success: true, webhookUrl: url } })
    expect(first.body.signingSecret).toMatch(signingSecretForm)
    expect(first.headers.get('cache-control')).toContain('no-store')
    expect((await set(tenant, 'https://example.com/other')).body).toEqual({
      success: true,
      webhookUrl: 'https://example.com/other',
      signingSecret: null,
    })
    expect((await call(tenant, 'GET', '/me/webhook')).body).toEqual({
      success: true,
      webhookUrl: 'https://example.com/other',
      signingSecret: first.body.signingSecret,
      previousSigningSecret: null,
    })
  })

  it('stops events with null and keeps the secret', async () => {
    const tenant = await makeTenant(db)
    const { signingSecret } = (await set(tenant, url)).body
    expect((await set(tenant, null)).body).toEqual({ success: true, webhookUrl: null, signingSecret: null })
    expect((await call(tenant, 'GET', '/me/webhook')).body).toMatchObject({ webhookUrl: null, signingSecret })
    expect((await set(tenant, url)).body.signingSecret).toBeNull()
  })

  it('takes null before any address was set', async () => {
    const tenant = await makeTenant(db)
    expect((await set(tenant, null)).status).toBe(200)
    expect((await set(tenant, url)).body.signingSecret).toMatch(signingSecretForm)
  })

  it('gives the secret to one of two first calls at once', async () => {
    const tenant = await makeTenant(db)
    const answers = await Promise.all([set(tenant, url), set(tenant, url)])
    const shown = answers.map(({ body }) => body.signingSecret).filter((secret) => secret !== null)
    expect(shown).toEqual([(await call(tenant, 'GET', '/me/webhook')).body.signingSecret])
  })

  it.each([
    'http://10.0.0.1/hook',
    'http://[::ffff:192.168.0.1]/',
    'http://169.254.169.254/latest/meta-data',
    'https://user:pw@example.com/',
    'https://example.com:22/',
    'http://2130706434/',
  ])('refuses %s as invalid_url and stores nothing', async (webhookUrl) => {
    const tenant = await makeTenant(db)
    const { status, body } = await set(tenant, webhookUrl)
    expect(status).toBe(400)
    expect(body.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { webhookUrl: [expect.stringMatching(/^must/)] },
      issues: [{ field: 'webhookUrl', code: 'invalid_url' }],
    })
    expect((await call(tenant, 'GET', '/me/webhook')).body).toMatchObject({ webhookUrl: null, signingSecret: null })
    expect(await activity(tenant)).toEqual([])
  })

  it.each(['http://127.0.0.1:4000/', 'http://localhost:4000/'])(
    'refuses %s unless the server allows it',
    async (local) => {
      const allowed = await makeTenant(db)
      expect((await set(allowed, local)).status).toBe(200)
      const refused = await makeTenant(unsealed.db)
      expect((await set(refused, local, unsealed)).body.error.details.webhookUrl).toEqual([
        expect.stringContaining('must be a public address'),
      ])
    },
  )

  it('demands the field', async () => {
    const tenant = await makeTenant(db)
    expect((await call(tenant, 'PUT', '/me/webhook', {})).body.error.issues).toMatchObject([
      { field: 'webhookUrl', code: 'required' },
    ])
  })

  it('is for owners, admins and the account key', async () => {
    const { organizationId } = await makeTenant(db)
    const as = async (role: 'owner' | 'admin' | 'member') => {
      const token = await makeToken(db, organizationId, role)
      const headers = { authorization: `Bearer ${token}` }
      return (await edge.call('PUT', '/me/webhook', { headers, body: { webhookUrl: url } })).status
    }
    expect([await as('owner').catch(String), await as('admin'), await as('member')]).toEqual([200, 200, 403])
  })

  it('returns no secret on a server without encryption', async () => {
    const tenant = await makeTenant(unsealed.db)
    expect((await set(tenant, url, unsealed)).body).toEqual({ success: true, webhookUrl: url, signingSecret: null })
  })

  it('notes who did it, and of the address only the host', async () => {
    const tenant = await makeTenant(db)
    await set(tenant, url)
    await set(tenant, null)
    const by = { actorKind: 'account_key', actorId: null }
    expect(await activity(tenant)).toEqual([
      { ...by, action: 'webhook.set', details: { host: 'example.com' } },
      { ...by, action: 'webhook.removed', details: {} },
    ])
  })

  it('stores the secret sealed', async () => {
    const tenant = await makeTenant(db)
    const { signingSecret } = (await set(tenant, url)).body
    const [stored] = await rows<{ secret: string }>(
      db,
      'select secret from webhooks where organization_id = :organizationId',
      { organizationId: tenant.organizationId },
    )
    expect(stored?.secret).not.toContain(signingSecret.slice(6, 20))
  })
})

describe('POST /me/webhook/regenerate-secret', () => {
  it('makes another secret, with a warning', async () => {
    const tenant = await makeTenant(db)
    const { signingSecret: old } = (await set(tenant, url)).body
    const { status, body } = await regenerate(tenant)
    expect(status).toBe(200)
    expect(body.signingSecret).toMatch(signingSecretForm)
    expect(body.signingSecret).not.toBe(old)
    expect(body.warning).toContain('no longer verifies')
    expect((await call(tenant, 'GET', '/me/webhook')).body.signingSecret).toBe(body.signingSecret)
    expect(await activity(tenant)).toMatchObject([{}, { action: 'webhook_secret.regenerated' }])
  })

  it('is possible while no address is set, once there was one', async () => {
    const tenant = await makeTenant(db)
    await set(tenant, url)
    await set(tenant, null)
    expect((await regenerate(tenant)).status).toBe(200)
  })

  it('responds with FORBIDDEN_ACTION before any address was set, and records nothing', async () => {
    const tenant = await makeTenant(db)
    expect(await regenerate(tenant)).toMatchObject({
      status: 400,
      body: { error: { code: 'FORBIDDEN_ACTION', details: { reason: 'no_webhook_url' } } },
    })
    expect(await activity(tenant)).toEqual([])
  })

  it('responds with WEBHOOK_SIGNING_UNAVAILABLE on a server without encryption', async () => {
    const tenant = await makeTenant(unsealed.db)
    await set(tenant, url, unsealed)
    expect(await regenerate(tenant, {}, unsealed)).toMatchObject({
      status: 503,
      body: { error: { code: 'WEBHOOK_SIGNING_UNAVAILABLE' } },
    })
  })

  it('takes an overlap of up to a day', async () => {
    const tenant = await makeTenant(db)
    await set(tenant, url)
    expect((await regenerate(tenant, { overlapSeconds: 86_400 })).body.warning).toContain('86400 s')
    expect((await regenerate(tenant, { overlapSeconds: 86_401 })).body.error.issues).toMatchObject([
      { field: 'overlapSeconds', code: 'too_big', maximum: 86_400 },
    ])
  })
})
