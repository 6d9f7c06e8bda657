import type { Transport } from '@msgctl/client'
import { type Contract, limits } from '@msgctl/contract'
import { newSecretsKeys } from '@msgctl/network/secrets'
import { byPerson } from '#api/access/limit-key.ts'
import { incrementAttempts } from '#people/auth/attempt-store.ts'
import { comparePassword } from '#people/auth/attempts.ts'
import { rows } from '#platform/db/db.ts'
import { cleanUpAfterFile } from '#testing/cleanup.ts'
import { type Authenticator, turnOn } from '#testing/features/authenticator.ts'
import { makePerson, type Person } from '#testing/features/person.ts'
import { teamsOn } from '#testing/features/team.ts'
import { serveDatabase, startTestServer, type TestClient, type TestServer } from '#testing/start-server.ts'

/** A response that refused a request. */
interface Refused {
  /** Like `POST /auth/sign-in`, with the ids of the path. */
  readonly call: string
  readonly status: number
  readonly error: { readonly code: string; readonly message: string; readonly details?: unknown }
}

/** What a situation begins with, and what the refusals of the service are noted in. */
export interface PeopleWorld extends ReturnType<typeof teamsOn> {
  readonly server: TestServer
  readonly refusals: Refused[]
  makePerson(name?: string): Promise<Person>
  /** A service on the same database that is closed for sign-ups. */
  closed(): Promise<TestServer>
  /** A service on the same database that takes one sign-up an hour from an address. */
  slow(): Promise<TestServer>
  /** A service on the same database without SECRETS_KEYS. */
  withoutKeys(): Promise<TestServer>
  /** A service on the same database whose SECRETS_KEYS are others. */
  otherKeys(): Promise<TestServer>
}

/** What a person meets, in words, and the calls that lead there; the last one is refused. */
export type Situation = readonly [words: string, call: (world: PeopleWorld) => Promise<unknown>]

type CodesOf<R> = R extends { readonly errors: readonly (infer C)[] } ? Extract<C, string> : never

/** The one situation of each code of each route: a route whose code has none does not compile. */
export type SituationsOf<G extends keyof Contract, N extends keyof Contract[G]> = {
  readonly [R in N]: { readonly [C in CodesOf<Contract[G][R]>]: Situation }
}

/** Starts the service of a test file, whose clients note every refusal. */
export async function startPeopleWorld(): Promise<PeopleWorld> {
  const refusals: Refused[] = []
  const env = { TRUSTED_PROXIES: '127.0.0.1' }
  const noting = (server: TestServer): TestServer => ({
    ...server,
    client: (options) => server.client({ ...options, fetch: noteRefusals(server, refusals) }),
  })
  const started = await startTestServer({ worker: false, env })
  const server = noting(started)
  const servers = new Map<string, Promise<TestServer>>()
  function another(name: string, changed: Readonly<Record<string, string | undefined>>): Promise<TestServer> {
    const serving = servers.get(name) ?? serveDatabase(started.db, started.databaseUrl, { worker: false, env: changed })
    if (!servers.has(name)) cleanUpAfterFile(() => serving.then((one) => one.stop()))
    servers.set(name, serving)
    return serving.then(noting)
  }
  const sameKeys = { ...env, SECRETS_KEYS: started.services.config.secretsKeys }
  return {
    ...teamsOn(server),
    server,
    refusals,
    makePerson: (name) => makePerson(server, name),
    closed: () => another('closed', { ...sameKeys, SIGNUP: 'closed' }),
    slow: () => another('slow', { ...sameKeys, SIGNUP_PER_HOUR: '1' }),
    withoutKeys: () => another('without keys', { ...env, SECRETS_KEYS: undefined }),
    otherKeys: () => another('other keys', { ...env, SECRETS_KEYS: newSecretsKeys().replace('1:', '9:') }),
  }
}

function noteRefusals({ baseUrl }: TestServer, refusals: Refused[]): Transport {
  return async (url, request) => {
    const response = await fetch(url, request as RequestInit)
    if (!response.ok) {
      const path = new URL(url).pathname.slice(new URL(baseUrl).pathname.length)
      const { error } = (await response.clone().json()) as Pick<Refused, 'error'>
      refusals.push({ call: `${request.method} ${path}`, status: response.status, error })
    }
    return response
  }
}

/** Uses up the wrong passwords of an e-mail address, without the time that comparing them takes. */
export async function usePasswordTries({ server }: PeopleWorld, email: string): Promise<void> {
  for (let n = 0; n < limits.signIn.wrongPasswords; n += 1) {
    await comparePassword(server.db, email, async () => false)
  }
}

/** Uses up the wrong codes of a person. */
export async function useCodeTries({ server }: PeopleWorld, userId: string): Promise<void> {
  const { wrongPasswords, lockSeconds } = limits.signIn
  for (let n = 0; n < wrongPasswords; n += 1)
    await incrementAttempts(server.db, byPerson('wrong codes', userId), lockSeconds)
}

/** Makes a call, uses up every window that it counted in, and makes it again. */
export async function callBeyondLimit({ server }: PeopleWorld, call: () => Promise<unknown>): Promise<unknown> {
  const before = await windows(server)
  await call().catch(() => undefined)
  for (const [bucket, attempts] of await windows(server)) {
    if (before.get(bucket) === attempts) continue
    await rows(server.db, 'update attempt_windows set attempts = 1000 where bucket = :bucket', { bucket })
  }
  return call()
}

async function windows({ db }: TestServer): Promise<ReadonlyMap<string, number>> {
  const found = await rows<{ bucket: string; attempts: number }>(db, 'select bucket, attempts from attempt_windows')
  return new Map(found.map(({ bucket, attempts }) => [bucket, attempts]))
}

/** A person with two-step sign-in. */
export interface Enrolled extends Person {
  readonly authenticator: Authenticator
}

/** Turns two-step sign-in on for a person. */
export async function enrol(person: Person): Promise<Enrolled> {
  return { ...person, authenticator: (await turnOn(person.client)).authenticator }
}

/** Takes the password of a person away, as of a member whom the operator added by an invitation. */
export async function forgetPassword({ server }: PeopleWorld, { userId }: Person): Promise<void> {
  await rows(server.db, 'update users set password_hash = null where id = :userId', { userId })
}

/** Deactivates the organization of a person. */
export async function deactivate({ server }: PeopleWorld, organizationId: string): Promise<void> {
  await rows(server.db, 'update organizations set deactivated_at = service_now() where id = :organizationId', {
    organizationId,
  })
}

/** Makes an owner with a second organization, so that the first one can be deleted alone. */
export async function makeOwnerOfTwo({ makeOwner }: PeopleWorld): Promise<Person> {
  const owner = await makeOwner()
  await owner.client.organization.create({ name: 'Second' })
  return owner
}

/** Returns the client of a person at another service of the same database. */
export function clientAt(server: TestServer, { token }: Pick<Person, 'token'>): TestClient {
  return server.client({ token })
}
