// npm run proof -- timing: whether the time of a response reveals which addresses are known. Known and unknown ones in
// pairs, over HTTP, on a durable Postgres. A ratio is right when its interval is narrow and reaches into 1 ± 3 percent.
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { root } from '../../scripts/process.mjs'
import { withService } from '../support/harness.mjs'
import { startProgram } from '../support/programs.mjs'
import { comparePairs } from './paired.mjs'

/**
 * @import { Db } from '@msgctl/server/platform/db/db'
 * @import { Pairs } from './paired.mjs'
 */

/** @typedef {typeof import('@msgctl/server/platform/db/db')} Database */

/** @typedef {(route: string, body: object, expected: number) => Promise<void>} RouteCaller */

const tolerance = 0.03
/** At least 400 pairs; more until the interval of the ratio is narrower than 3 percent. */
const bounds = { least: 400, most: 2_000, width: 0.03 }
const people = bounds.most
const password = 'a long password'
const teamSize = 40

execFileSync(process.execPath, [path.join(root, 'tools/scripts/build.mjs')], { stdio: 'inherit' })

/**
 * Stores people with confirmed addresses, each in an organization, by statements: signing them up would take minutes.
 * @param {Db} db
 * @param {{ hashPassword: (password: string) => Promise<string>, rows: Database['rows'] }} server
 * @param {string} prefix
 */
async function makePeople(db, { hashPassword, rows }, prefix) {
  const passwordHash = await hashPassword(password)
  await rows(
    db,
    `with made as (
       insert into users (id, name, email, password_hash, email_verified_at, created_at)
       select gen_random_uuid(), 'Person', :prefix || '-' || n || '@example.com', :passwordHash, service_now(),
              service_now()
         from generate_series(0, :last::int) n returning id
     ), founded as (
       insert into organizations (id, name, created_at) select gen_random_uuid(), 'Engines', service_now() from made
         returning id
     ), numbered as (select id, row_number() over () as n from founded), owners as (select id, row_number() over () as n
       from made)
     insert into members (organization_id, user_id, role, created_at)
     select numbered.id, owners.id, 'owner', service_now() from numbered join owners using (n)`,
    { prefix, passwordHash, last: people - 1 },
  )
}

/**
 * Stores open invitations for each address, to teams of at most 40. Returns their tokens by address.
 * @param {Db} db
 * @param {Pick<Database, 'rows'>} server
 * @param {string[]} addresses
 */
async function makeInvitations(db, { rows }, addresses) {
  /** @type {{ id: string, owner: string }[]} */
  const organizations = await rows(
    db,
    `select organization_id as id, user_id as owner from members where role = 'owner' order by organization_id
      limit :count`,
    { count: Math.ceil(addresses.length / teamSize) },
  )
  /** @type {Map<string, string>} */
  const tokens = new Map()
  const invitations = addresses.map((email, n) => {
    const token = randomBytes(32).toString('base64url')
    tokens.set(email, token)
    const { id, owner } = /** @type {typeof organizations[0]} */ (organizations[Math.floor(n / teamSize)])
    const hash = createHash('sha256').update(token).digest('hex')
    return { id: randomUUID(), organization: id, owner, email, hash }
  })
  await rows(
    db,
    `insert into invitations (id, organization_id, email, role, token_hash, delivery, invited_by, created_at,
       expires_at)
     select id, organization, email, 'member', decode(hash, 'hex'), 'mail', owner, service_now(),
            service_now() + interval '7 days'
       from jsonb_to_recordset(:invitations::jsonb) as i(id uuid, organization uuid, owner uuid, email text,
           hash text)`,
    { invitations: JSON.stringify(invitations) },
  )
  return tokens
}

let addresses = 0

/**
 * Calls a public route from a network address of its own, so that no limit refuses it. Throws for an unexpected status.
 * @param {string} address
 * @returns {RouteCaller}
 */
function callerOf(address) {
  return async (route, body, expected) => {
    addresses += 1
    const from = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
    const response = await fetch(`${address}/api/v1${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status !== expected) throw new Error(`${route}: ${response.status} ${text}`)
  }
}

/** @param {string} what @param {Pairs} pairs @param {boolean} isJudged */
function print(what, { pairs, knownMs, unknownMs, ratio, low, high }, isJudged) {
  const isRight = high >= 1 - tolerance && low <= 1 + tolerance && Math.log(high / low) < 2 * bounds.width
  const verdict = !isJudged ? '    ' : isRight ? 'ok  ' : 'FAIL'
  const medians = `known ${knownMs.toFixed(2)} ms, unknown ${unknownMs.toFixed(2)} ms`
  const interval = `ratio ${ratio.toFixed(4)} (${low.toFixed(4)} to ${high.toFixed(4)})`
  process.stdout.write(`${verdict} ${what}: ${medians}, ${interval}, ${pairs} pairs\n`)
  if (isJudged && !isRight) process.exitCode = 1
}

await withService({ SIM_SPEED: '0' }, async ({ db, worker, environment }) => {
  await worker.stop()
  const [{ hashPassword }, { rows }] = await Promise.all([
    import('@msgctl/server/api/access/password'),
    import('@msgctl/server/platform/db/db'),
  ])
  await makePeople(db, { hashPassword, rows }, 'known')
  const joining = Array.from({ length: people }, (_, n) => [`known-${n}@example.com`, `new-${n}@example.com`]).flat()
  const tokens = await makeInvitations(db, { rows }, joining)
  const main = new URL('../../../packages/server/dist/main.js', import.meta.url)
  const settings = { ...environment, PORT: '0', LOG_LEVEL: 'info', TRUSTED_PROXIES: '127.0.0.1' }
  const api = await startProgram(main, { ...settings, SERVICES: 'api' })
  const mailing = await startProgram(main, { ...settings, SERVICES: 'worker', METRICS_PORT: '0' })
  const call = callerOf(api.address)
  /** @type {(email: string) => Promise<void>} */
  const signIn = (email) => call('/auth/sign-in', { email, password: 'a wrong password' }, 401)
  /** @type {typeof signIn} */
  const forgot = (email) => call('/auth/password/forgot', { email }, 202)
  /** @type {typeof signIn} */
  const join = (email) => call('/auth/join', { token: tokens.get(email), password, name: 'Max' }, 200)
  /** @type {(request: typeof signIn, prefix: string) => Parameters<typeof comparePairs>[0]} */
  const kinds = (request, prefix) => ({
    known: (n) => request(`known-${n}@example.com`),
    unknown: (n) => request(`${prefix}-${n}@example.com`),
  })
  try {
    for (let n = 0; n < 20; n += 1) await signIn(`warm-up-${n}@example.com`)
    print('POST /auth/sign-in with a wrong password', await comparePairs(kinds(signIn, 'nobody'), bounds), true)
    print('POST /auth/password/forgot', await comparePairs(kinds(forgot, 'nobody'), bounds), true)
    // Only the owner of the mailbox has the link, which POST /auth/invitation reads with the same knowledge: for
    // comparison.
    print('POST /auth/join', await comparePairs(kinds(join, 'new'), bounds), false)
  } finally {
    await Promise.all([api.stop(), mailing.stop()])
  }
})
