import { type Product, products } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { writeTwoFactor } from '#api/access/token-store.ts'
import { rows } from '#platform/db/db.ts'
import { type MadeOrganization, makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import type { TestServer } from '#testing/start-server.ts'

/** What an organization may hold when it calls. */
export interface Situation {
  readonly what: string
  /** The products it was given; those of `paused` are paused. */
  readonly given: readonly Product[]
  readonly paused?: readonly Product[]
  readonly trial?: 'running' | 'over'
  readonly deactivated?: true
  /** The organization requires two steps, which its people have not turned on. */
  readonly twoStepsMissing?: true
  /** The organization administers the platform, and its people signed in with one step or two. */
  readonly staff?: 'with one step' | 'with two steps'
}

/** Every situation that a gate with a feature distinguishes. */
export const situations: readonly Situation[] = [
  { what: 'every product', given: products },
  ...products.map((product) => ({ what: `${product} only`, given: [product] })),
  { what: 'notify and connect', given: ['notify', 'connect'] },
  { what: 'no product', given: [] },
  { what: 'a running trial of everything', given: products, trial: 'running' },
  { what: 'a running trial of connect', given: ['connect'], trial: 'running' },
  { what: 'a trial that is over', given: products, trial: 'over' },
  { what: 'everything paused', given: products, paused: products },
  { what: 'developer paused', given: products, paused: ['developer'] },
  { what: 'a deactivated organization', given: products, deactivated: true },
  { what: 'two steps are required and missing', given: products, twoStepsMissing: true },
  { what: 'staff with one step', given: products, staff: 'with one step' },
  { what: 'staff with two steps', given: products, staff: 'with two steps' },
]

/** Situations that a gate without a feature could distinguish, and must not, except for the last four. */
export const fewSituations = situations.filter(
  ({ what, deactivated, twoStepsMissing, staff }) =>
    deactivated || twoStepsMissing || staff || ['every product', 'no product', 'a trial that is over'].includes(what),
)

/** The products that are active in a situation. */
export function activeProducts({ given, paused = [], trial }: Situation): readonly Product[] {
  return trial === 'over' ? [] : given.filter((product) => !paused.includes(product))
}

/** Every kind of credential. A key acts as an admin. */
export const credentials = ['account key', 'number key', 'owner', 'admin', 'member'] as const
export type Credential = (typeof credentials)[number]

/** The headers of one credential of an organization in this situation, all of it made now. */
export async function makeCaller(
  server: TestServer,
  situation: Situation,
  credential: Credential,
): Promise<Readonly<Record<string, string>>> {
  const headers = await makeCredential(server, await makeSituation(server, situation), credential)
  const token = headers.authorization?.replace('Bearer ', '')
  if (situation.staff === 'with two steps' && token) await writeTwoFactor(server.db, hashCredential(token))
  return headers
}

/** Makes an organization in this situation. */
async function makeSituation(server: TestServer, situation: Situation): Promise<MadeOrganization> {
  const { given, paused = [], trial, deactivated = false, twoStepsMissing = false, staff } = situation
  const organization = await makeOrganization(server, { products: given, granted: trial === undefined })
  const { organizationId } = organization
  await rows(
    server.db,
    `with paused as (
       update organization_products set paused_at = service_now()
        where organization_id = :organizationId and product = any(:paused::text[]))
     update organizations
        set deactivated_at = case when :deactivated::bool then service_now() end,
            trial_ends_at = case when :over::bool then service_now() else trial_ends_at end,
            require_two_factor = :twoStepsMissing::bool,
            platform_admin_at = case when :staff::bool then service_now() end
      where id = :organizationId`,
    { organizationId, paused, deactivated, twoStepsMissing, over: trial === 'over', staff: staff !== undefined },
  )
  return organization
}

/** The headers of one credential of the organization. */
async function makeCredential(
  server: TestServer,
  organization: MadeOrganization,
  credential: Credential,
): Promise<Readonly<Record<string, string>>> {
  if (credential === 'account key') return { 'x-api-key': organization.apiKey }
  if (credential === 'number key') {
    const containerId = await makeNumber(server, organization, { linked: false })
    return { 'x-api-key': await makeNumberKey(server, organization, containerId) }
  }
  return { authorization: `Bearer ${await makeToken(server, organization, credential)}` }
}
