import type { MessagingClient } from '@msgctl/client'
import type { AdminClient } from '@msgctl/client/admin'
import type { Context } from '../context.ts'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { type Connection, connect, connectAdmin, findToken } from '../http/connect.ts'
import { askSecret } from '../input/prompt.ts'
import { sameHost } from './address.ts'
import { type StoredSession, saveProfile, saveSession, sessionKey } from './config-file.ts'
import type { Owner } from './project-file.ts'
import type { Target } from './target.ts'

type Task<C, T> = (client: C) => Promise<T>

/** The parts of a command's context that signing in needs. */
export interface SignInContext extends Pick<Context, 'host' | 'config' | 'target'> {
  readonly timeoutMs: number
  readonly changed?: Connection['changed']
  readonly hold?: Connection['hold']
  readonly trace?: Connection['trace']
}

/** How to sign in: the connection, and the question for the code of an authenticator. */
export interface SignInOptions extends Pick<Connection, 'timeoutMs' | 'signal'> {
  /** Returns a code or a recovery code. Called only when the account has two-step sign-in. */
  askCode(): Promise<string>
}

/**
 * Signs in with e-mail and password, and with a code when the account asks for one. Rejects with the error of the
 * service.
 */
export async function signIn(baseUrl: string, owner: Owner, { askCode, ...how }: SignInOptions) {
  const client = await connectAdmin({ baseUrl, credential: undefined, ...how })
  const answer = await client.auth.signIn({ email: owner.email, password: owner.password })
  return completeSignIn(client, answer, askCode)
}

type FirstStep = Awaited<ReturnType<AdminClient['auth']['signIn']>>

/** Completes a sign-in: with a code when the response is a challenge. */
export async function completeSignIn(client: AdminClient, answer: FirstStep, askCode: SignInOptions['askCode']) {
  if (!answer.twoFactorRequired) return answer
  const code = (await askCode()).trim()
  const { challenge } = answer
  return client.auth.secondStep(/^\d{6}$/.test(code) ? { challenge, code } : { challenge, recoveryCode: code })
}

/** Stores a new session of the signed-in user where the present one is stored. */
export function keepSession(context: SignInContext, { token, expiresAt }: StoredSession): void {
  const { config, target, host } = context
  const { owner } = target.credentials
  if (owner !== undefined) {
    saveSession(host, sessionKey(target.baseUrl, owner.email), { token, expiresAt })
    return
  }
  const present = storedToken(context)
  const [name, profile] = Object.entries(config.profiles).find(([, one]) => one.token === present) ?? []
  if (name !== undefined && profile) saveProfile(host, name, { ...profile, token, tokenExpiresAt: expiresAt })
}

/** Returns a token that a profile has for the same host. */
function storedToken({ config, target, host }: SignInContext): string | undefined {
  const own = findToken(target.credentials, host.now())
  if (own !== undefined) return own
  const profiles = Object.values(config.profiles).filter((profile) => sameHost(profile.baseUrl, target.baseUrl))
  return profiles.map((profile) => findToken(profile, host.now())).find((token) => token !== undefined)
}

function notSignedIn({ baseUrl }: Target): CliError {
  return new CliError('This requires a signed-in user; an API key is not enough.', {
    code: 'NOT_SIGNED_IN',
    exitCode: exitCodes.auth,
    advice: `Run msgctl login --base-url ${baseUrl} --email you@example.com`,
  })
}

/** Returns whether the service rejected the token; such a request had no effect. */
function isTokenRejected(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'AUTH_ERROR'
}

/** Signs in as the owner in a project file, and stores the token for the next command. */
async function ownerSession(context: SignInContext, owner: Owner, key: string): Promise<StoredSession> {
  const { token, expiresAt } = await signIn(context.target.baseUrl, owner, {
    timeoutMs: context.timeoutMs,
    signal: context.host.signal,
    askCode: () => askSecret(context.host, 'Code of the authenticator', 'Sign in with msgctl login.'),
  })
  const session = { token, expiresAt }
  saveSession(context.host, key, session)
  return session
}

async function asOwner<T>(context: SignInContext, owner: Owner, withToken: (token: string) => Promise<T>): Promise<T> {
  const key = sessionKey(context.target.baseUrl, owner.email)
  const kept = context.config.sessions[key]
  if (kept !== undefined && Date.parse(kept.expiresAt) > context.host.now()) {
    try {
      return await withToken(kept.token)
    } catch (error) {
      if (!isTokenRejected(error)) throw error
      saveSession(context.host, key, undefined)
    }
  }
  return withToken((await ownerSession(context, owner, key)).token)
}

/**
 * Runs `task` as a user: with the token of msgctl login, or as the owner in a project file. Throws a CliError when no
 * user is signed in.
 */
export async function asUser<T>(context: SignInContext, task: Task<MessagingClient, T>): Promise<T> {
  return withSession(context, connect, task)
}

/** Does the same with a client for the routes of people and organizations. */
export async function asPerson<T>(context: SignInContext, task: Task<AdminClient, T>): Promise<T> {
  return withSession(context, connectAdmin, task)
}

async function withSession<C, T>(
  context: SignInContext,
  open: (connection: Connection) => Promise<C>,
  task: Task<C, T>,
): Promise<T> {
  const { target, timeoutMs, changed, hold, trace } = context
  const { signal } = context.host
  const withToken = async (token: string) =>
    task(await open({ baseUrl: target.baseUrl, credential: { token }, timeoutMs, signal, changed, hold, trace }))
  const { owner } = target.credentials
  if (owner !== undefined) return asOwner(context, owner, withToken)
  const token = storedToken(context)
  if (token === undefined) throw notSignedIn(target)
  return withToken(token)
}
