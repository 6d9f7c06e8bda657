import { post } from '#testing/mcp/ai-client.ts'
import { sessionOf } from '#testing/session-of.ts'
import { type Holder, visitorOf } from './holder.ts'

/** A thing that lets a person, or a program that acts for one, in. */
interface Credential {
  /** The tables that it is stored in. */
  readonly tables: readonly string[]
  /** Uses it. Rejects, or returns false, where it does not work. */
  readonly use: (holder: Holder) => Promise<unknown>
}

const me = async ({ world }: Holder, headers: Record<string, string>) =>
  (await fetch(`${world.server.baseUrl}/me`, { headers })).ok

async function tokens({ world }: Holder, form: Record<string, string>) {
  const { status, body } = await world.app.token({ client_id: world.app.clientId, ...form })
  return status === 200 ? body : null
}

/** Signs in with the password at present. Returns the challenge, or undefined without two steps. */
async function challengeNow(holder: Holder): Promise<string | undefined> {
  const { email, password } = holder
  const answer = await visitorOf(holder.world).auth.signIn({ email, password })
  return answer.twoFactorRequired ? answer.challenge : undefined
}

function recoveryCode({ twoFactor }: Holder): string {
  return twoFactor?.recoveryCodes.pop() ?? ''
}

async function approve({ owner }: Holder, actionId: string): Promise<boolean> {
  return (await owner.mcp.approve({ actionId })).action.state === 'done'
}

/**
 * Every kind of credential, in the order in which a test may use them: the last ones change what the others depend on.
 * A table that refers to people or holds hashes or secrets is named here, or in {@link noAccess}.
 */
export const credentials = {
  'the session that makes the change': {
    tables: ['user_tokens'],
    use: (holder) => me(holder, { authorization: `Bearer ${holder.acting.token}` }),
  },
  'another session': {
    tables: ['user_tokens'],
    use: (holder) => me(holder, { authorization: `Bearer ${holder.other.token}` }),
  },
  'the cookie of the console': {
    tables: ['user_tokens'],
    use: async ({ browser }) => (await browser.call('GET', '/api/v1/me')).status === 200,
  },
  'an event stream of a session': { tables: ['user_tokens'], use: async ({ streams }) => streams.ofSession.isOpen() },
  'an event stream of the account key': { tables: ['api_keys'], use: async ({ streams }) => streams.ofKey.isOpen() },
  'the account key': { tables: ['api_keys'], use: (holder) => me(holder, { 'x-api-key': holder.keys.account }) },
  'the key of a number': {
    tables: ['api_keys'],
    use: ({ world, keys }) => world.server.client({ apiKey: keys.ofNumber }).numbers.status(),
  },
  'an access token of an AI client': {
    tables: ['mcp_connections', 'oauth_tokens'],
    use: async ({ world, ai }) =>
      (await post(world.server.address, 'tools/list', { headers: { Authorization: `Bearer ${ai.access}` } })).ok,
  },
  'a refresh token of an AI client': {
    tables: ['oauth_tokens'],
    async use(holder) {
      const refreshed = await tokens(holder, { grant_type: 'refresh_token', refresh_token: holder.ai.refresh })
      return refreshed !== null
    },
  },
  'a code for an AI client': {
    tables: ['oauth_codes'],
    use: async (holder) => (await tokens(holder, holder.world.app.codeForm(holder.ai.code))) !== null,
  },
  'an action of an AI client that waits': {
    tables: ['mcp_actions'],
    use: (holder) => approve(holder, holder.actions.ofConnection),
  },
  'an action of the account key that waits': {
    tables: ['mcp_actions'],
    use: (holder) => approve(holder, holder.actions.ofKey),
  },
  'an invitation that the person sent': {
    tables: ['invitations', 'members'],
    use: (holder) => visitorOf(holder.world).auth.invitation({ token: holder.invitation }),
  },
  'a half-finished sign-in': {
    tables: ['sign_in_challenges'],
    use: (holder) =>
      visitorOf(holder.world).auth.secondStep({
        challenge: holder.twoFactor?.challenge ?? '',
        recoveryCode: recoveryCode(holder),
      }),
  },
  'a code of the console': {
    tables: ['account_links'],
    use: (holder) => visitorOf(holder.world).auth.welcome({ code: holder.links.console }),
  },
  'the password': { tables: ['users'], use: (holder) => challengeNow({ ...holder, password: holder.firstPassword }) },
  'a recovery code': {
    tables: ['recovery_codes'],
    async use(holder) {
      const challenge = await challengeNow(holder)
      if (challenge === undefined) return false
      return sessionOf(visitorOf(holder.world).auth.secondStep({ challenge, recoveryCode: recoveryCode(holder) }))
    },
  },
  'the authenticator': {
    tables: ['user_two_factor'],
    async use(holder) {
      const [challenge, code] = [await challengeNow(holder), holder.twoFactor?.authenticator.code()]
      if (challenge === undefined || code === undefined) return false
      return sessionOf(visitorOf(holder.world).auth.secondStep({ challenge, code }))
    },
  },
  'a link that confirms the address': {
    tables: ['account_links'],
    use: (holder) => visitorOf(holder.world).auth.verifyEmail({ token: holder.links.verify }),
  },
  'a link for a new password': {
    tables: ['account_links'],
    use: (holder) =>
      visitorOf(holder.world).auth.resetPassword({ token: holder.links.reset, password: 'one more long password' }),
  },
} as const satisfies Readonly<Record<string, Credential>>

/** The name of a credential. */
export type CredentialName = keyof typeof credentials

/** Tables with hashes or secrets, or with people, that let no person in, each with the reason. */
export const noAccess: Readonly<Record<string, string>> = {
  erasures: 'the hash of the name of an organization that is gone',
  gateway_sessions: 'keys of numbers to the network and their proxies',
  gateway_keys: 'keys of numbers to the network',
  idempotency_keys: 'hashes of requests',
  mails: 'texts of mails, whose links are in account_links and invitations',
  mcp_calls: 'names of the credentials that calls were made with',
  mcp_read_texts: 'names of the credentials that read texts',
  mcp_sends: 'names of the credentials that sent messages',
  otp_requests: 'codes for the customers of an organization',
  oauth_requests: 'requests of a program that no person has answered, bound to a browser by a hash',
  server_secrets: 'the pepper of one-time codes',
  waha_hosts: 'keys of the servers of the network',
  webhooks: 'secrets that sign what the service sends',
}

/** Returns whether a credential works. */
export async function works(name: CredentialName, holder: Holder): Promise<boolean> {
  try {
    return (await credentials[name].use(holder)) !== false
  } catch {
    return false
  }
}
