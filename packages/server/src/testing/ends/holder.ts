import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { hashCredential } from '#api/access/authenticate.ts'
import { makeLink, newLinkToken } from '#people/auth/links.ts'
import { issueToken } from '#people/auth/token.ts'
import { hashRecoveryCode, newRecoveryCodes } from '#people/auth/two-factor/recovery-codes.ts'
import { toSecretPlace } from '#people/auth/two-factor/second-step.ts'
import { enable, putPending, replaceRecoveryCodes } from '#people/auth/two-factor/store.ts'
import { otpauthUrl } from '#people/auth/two-factor/totp.ts'
import { putMember } from '#people/organizations/store.ts'
import { insertUser, writeEmailVerified, writePassword } from '#people/organizations/user-store.ts'
import { insertInvitation } from '#people/team/invitation-store.ts'
import { rows, transaction } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { type Authenticator, challengeOf, scan } from '#testing/features/authenticator.ts'
import { type Browser, ofConsole, openBrowser } from '#testing/features/browser.ts'
import { newEmail, password } from '#testing/features/person.ts'
import { type MadeOrganization, makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import { post } from '#testing/mcp/ai-client.ts'
import { consent, type HandClient } from '#testing/mcp/consent.ts'
import type { TestClient, TestServer } from '#testing/start-server.ts'

/** The hash of `password` with weak settings, so that comparing it costs little. */
const weakHash = '$argon2id$v=19$m=1024,t=1,p=1$I33DhQ+i6W/7U7hsL8R6cw$Q2fsKMXNbqa4GnVsmmaX8CjSJWnfHnvi4GhMtQg1glo'

/** What the holders of one test file share. */
export interface EndsWorld {
  readonly server: TestServer
  /** An app that registered, which all connect. */
  readonly app: HandClient
}

/** An open event stream. */
interface OpenStream {
  isOpen(): boolean
}

/** An admin of an organization and member of another one, with everything that lets them or others in. */
export interface Holder {
  readonly world: EndsWorld
  readonly userId: string
  readonly email: string
  readonly firstPassword: string
  /** The password at present; a change of it sets it. */
  password: string
  readonly organization: MadeOrganization
  readonly containerId: string
  /** The owner of the organization, who decides about waiting actions and removes people. */
  readonly owner: TestClient
  /** The session in which the person makes changes. */
  readonly acting: { readonly token: string; readonly client: TestClient }
  readonly other: { readonly token: string; readonly id: string }
  readonly browser: Browser
  readonly streams: { readonly ofSession: OpenStream; readonly ofKey: OpenStream }
  readonly keys: { readonly account: string; readonly ofNumber: string }
  readonly ai: { readonly access: string; refresh: string; readonly code: string }
  readonly actions: { readonly ofConnection: string; readonly ofKey: string }
  readonly links: { readonly console: string; readonly reset: string; readonly verify: string }
  /** The token of an invitation that the person sent. */
  readonly invitation: string
  /** Null while two-step sign-in is off. */
  readonly twoFactor: {
    readonly authenticator: Authenticator
    readonly recoveryCodes: string[]
    readonly challenge: string
  } | null
}

let addresses = 0

function newAddress(): string {
  addresses += 1
  return `10.5.${addresses >> 8}.${addresses & 255}`
}

/** Returns a client without credentials at an address of its own. */
export function visitorOf({ server }: EndsWorld): TestClient {
  return server.client({ headers: { 'x-forwarded-for': newAddress() } })
}

/** Makes a person with all credentials of the catalogue. */
export async function makeHolder(
  world: EndsWorld,
  { twoFactor = true, verified = true }: { readonly twoFactor?: boolean; readonly verified?: boolean } = {},
): Promise<Holder> {
  const { server, app } = world
  // This is no test of limits, and all holders are at one address.
  await rows(server.db, 'delete from attempt_windows')
  const [organization, home] = [await makeOrganization(server), await makeOrganization(server)]
  const { organizationId, apiKey } = organization
  const containerId = await makeNumber(server, organization)
  const person = { id: newId(), name: 'Ada', email: newEmail() }
  const newSession = () =>
    transaction(server.db, (trx) => issueToken(trx, person, { id: organizationId, name: 'Test' }, 'admin'))
  await transaction(server.db, async (trx) => {
    await writePassword(trx, organization.ownerId, weakHash)
    await insertUser(trx, { ...person, passwordHash: weakHash })
    if (verified) await writeEmailVerified(trx, person.id)
    await putMember(trx, organizationId, person.id, 'admin')
    await putMember(trx, home.organizationId, person.id, 'member')
  })
  const { token: otherToken } = await newSession()
  const other = server.client({ token: otherToken })
  const otherId = (await other.auth.sessions()).sessions.find(({ current }) => current)?.id ?? ''
  const { token } = await newSession()
  const client = server.client({ token })
  const browser = openBrowser(server)
  const signIn = { body: { email: person.email, password }, headers: { ...ofConsole, 'x-forwarded-for': newAddress() } }
  expect((await browser.call('POST', '/console/session/sign-in', signIn)).status).toBe(200)
  const steps = twoFactor ? await enrol(world, person) : null
  const keys = { account: apiKey, ofNumber: await makeNumberKey(server, organization, containerId) }
  const { access_token: access, refresh_token: refresh } = await app.connect({ token, scopes: ['read', 'send'] })
  const consented = await consent(server, app.authorizeUrl(), { token })
  const invitation = newLinkToken()
  await insertInvitation(server.db, {
    ...{ id: newId(), organizationId, email: newEmail(), role: 'member', delivery: 'mail' },
    ...{ tokenHash: hashCredential(invitation), invitedBy: person.id, days: 7 },
  })
  const linkOf = async (kind: 'reset' | 'verify') =>
    tokenIn(await transaction(server.db, (trx) => makeLink(trx, server.services, person.id, kind)))
  return {
    world,
    userId: person.id,
    email: person.email,
    firstPassword: password,
    password,
    organization,
    containerId,
    owner: server.client({ token: await makeToken(server, organization) }),
    acting: { token, client },
    other: { token: otherToken, id: otherId },
    browser,
    streams: {
      ofSession: await openStream(world, { authorization: `Bearer ${otherToken}` }),
      ofKey: await openStream(world, { 'x-api-key': apiKey }),
    },
    keys,
    ai: { access, refresh, code: consented.searchParams.get('code') ?? '' },
    actions: { ofConnection: await waitingAction(world, access), ofKey: await waitingAction(world, apiKey) },
    links: {
      console: (await client.auth.consoleCode()).code,
      reset: await linkOf('reset'),
      verify: await linkOf('verify'),
    },
    invitation,
    twoFactor: steps && { ...steps, challenge: await challengeOf(visitorOf(world), person) },
  }
}

/** Turns two-step sign-in on, as its routes store it, without the work of their picture. */
async function enrol({ server }: EndsWorld, { id, email }: { readonly id: string; readonly email: string }) {
  const { db, secrets } = server.services
  const secret = randomBytes(20)
  const recoveryCodes = newRecoveryCodes()
  const sealed = secrets.encrypt(secret.toString('base64'), toSecretPlace(id))
  await transaction(db, async (trx) => {
    await putPending(trx, id, sealed, 10)
    await enable(trx, id, sealed, 0)
    await replaceRecoveryCodes(trx, id, recoveryCodes.map(hashRecoveryCode))
  })
  return { authenticator: scan(otpauthUrl(secret, 'Test', email)), recoveryCodes }
}

function tokenIn(link: string): string {
  return /#\w+=([\w-]+)/.exec(link)?.[1] ?? expect.fail(`no token in ${link}`)
}

/** Asks for a message to a stranger, which waits for a person. Returns the id of the action. */
async function waitingAction({ server }: EndsWorld, key: string): Promise<string> {
  const args = { phone: '+13035550999', message: 'Your order is ready.', idempotencyKey: 'waits' }
  const response = await post(server.address, 'tools/call', {
    headers: { Authorization: `Bearer ${key}` },
    params: { name: 'send_message', arguments: args },
  })
  const id = /"actionId":"([^"]+)"/.exec(await response.text())?.[1]
  return id ?? expect.fail('the message did not wait')
}

async function openStream({ server }: EndsWorld, headers: Record<string, string>): Promise<OpenStream> {
  const response = await fetch(`${server.baseUrl}/events/stream`, { headers })
  expect(response.status).toBe(200)
  let open = true
  void response.text().finally(() => {
    open = false
  })
  return { isOpen: () => open }
}
