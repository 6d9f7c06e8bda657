import { hashPassword } from '../../../packages/server/src/api/access/password.ts'
import { rows } from '../../../packages/server/src/platform/db/db.ts'
import { scan } from '../../../packages/server/src/testing/features/authenticator.ts'
import { makeOrganization, makeToken } from '../../../packages/server/src/testing/make.ts'
import { makeAiClient, type TenantFixture } from '../../../packages/server/src/testing/matrix/other-tenant.ts'
import { openAuthorization, registerClient } from '../../../packages/server/src/testing/mcp/consent.ts'
import type { TestClient, TestServer } from '../../../packages/server/src/testing/start-server.ts'
import { ownAddress } from './people.ts'
import { passwordOfAll } from './values.ts'

/** Who makes one request, and what the request can name. */
export interface FreshCaller {
  readonly headers: Readonly<Record<string, string>>
  readonly ids: Readonly<Record<string, readonly string[]>>
}

interface Member {
  readonly client: TestClient
  readonly token: string
  readonly email: string
}

/** Returns the makers of callers for operations that end the state they need, by the id of the operation. */
export async function freshCallers(
  server: TestServer,
  tenant: TenantFixture,
): Promise<Readonly<Record<string, () => Promise<FreshCaller>>>> {
  const passwordHash = await hashPassword(passwordOfAll)
  const aiClient = await registerClient(server)

  /** Makes a member whose password requests know. */
  async function makeMember(): Promise<Member> {
    const token = await makeToken(server, tenant, 'member')
    const client = server.client({ token })
    const { id, email } = await client.account.me()
    await rows(server.db, 'update users set password_hash = :passwordHash where id = :id', { id, passwordHash })
    return { client, token, email }
  }

  const caller = ({ token }: Member, ids: FreshCaller['ids'] = {}): FreshCaller => {
    return { headers: { authorization: `Bearer ${token}` }, ids }
  }

  /**
   * Makes a member with an authenticator, and with two-step sign-in when `on`. The code that is left is of a step after
   * the one that was used, and is valid for half a minute at least.
   */
  async function withAuthenticator(on: boolean) {
    const member = await makeMember()
    const { otpauthUrl } = await member.client.auth.setUpTwoFactor({ password: passwordOfAll })
    const authenticator = scan(otpauthUrl)
    if (!on) return { member, ids: { 'authenticator code': [authenticator.code()] } }
    const { recoveryCodes } = await member.client.auth.enableTwoFactor({ code: authenticator.code() })
    return { member, ids: { 'authenticator code': [authenticator.code(1)], 'recovery code': recoveryCodes } }
  }

  async function withTwoSteps(): Promise<FreshCaller> {
    const { member, ids } = await withAuthenticator(true)
    return caller(member, ids)
  }

  /** Opens a request of an AI client in a browser, whose cookie the caller has. */
  async function inBrowser(): Promise<FreshCaller> {
    const { cookie, requestId } = await openAuthorization(aiClient.authorizeUrl(), '', ownAddress())
    return { headers: { ...tenant.owner, cookie }, ids: { 'oauth request': [requestId], number: [tenant.ids.number] } }
  }

  /** Makes an owner whose password requests know, and who is an admin of another organization. */
  async function ownerInTwo(): Promise<FreshCaller> {
    const [ended, kept] = [await makeOrganization(server), await makeOrganization(server)]
    const { ownerId: id } = ended
    await rows(server.db, 'update users set password_hash = :passwordHash where id = :id', { id, passwordHash })
    await rows(
      server.db,
      `insert into members (organization_id, user_id, role, created_at) values (:organizationId, :id, 'admin', now())`,
      {
        organizationId: kept.organizationId,
        id,
      },
    )
    return {
      headers: { authorization: `Bearer ${await makeToken(server, ended)}` },
      ids: { 'organization name': ['Test'] },
    }
  }

  /** Connects an AI client, of which one action waits. */
  async function withAiClient(): Promise<FreshCaller> {
    const { connection, action } = await makeAiClient(server, tenant)
    return { headers: tenant.owner, ids: { connection: [connection], action: [action], number: [tenant.ids.number] } }
  }

  return {
    'organization.delete': ownerInTwo,
    'mcp.updateConnection': withAiClient,
    'mcp.endConnection': withAiClient,
    'mcp.approve': withAiClient,
    'mcp.deny': withAiClient,
    async 'account.generateKey'() {
      const { organizationId } = tenant
      await rows(server.db, 'delete from api_keys where organization_id = :organizationId', { organizationId })
      return { headers: tenant.owner, ids: {} }
    },
    async 'auth.secondStep'() {
      const { member, ids } = await withAuthenticator(true)
      return { headers: {}, ids: { ...ids, challenge: [await challenge(server, member)] } }
    },
    async 'auth.enableTwoFactor'() {
      const { member, ids } = await withAuthenticator(false)
      return caller(member, ids)
    },
    'auth.disableTwoFactor': withTwoSteps,
    'auth.newRecoveryCodes': withTwoSteps,
    'auth.deleteAccount': async () => caller(await makeMember()),
    'oauth.request': inBrowser,
    'oauth.approve': inBrowser,
    'oauth.deny': inBrowser,
  }
}

/** Gives the password of a member, and returns the challenge of the second step. */
async function challenge(server: TestServer, { email }: Member): Promise<string> {
  const answer = await server.client({ headers: ownAddress() }).auth.signIn({ email, password: passwordOfAll })
  if (!answer.twoFactorRequired) throw new Error('the sign-in took one step')
  return answer.challenge
}
