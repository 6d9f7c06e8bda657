import type { LimitName } from '#api/access/limit-key.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import { connectAi, post } from '#testing/mcp/ai-client.ts'
import { documentedClient, type HandClient, registerClient } from '#testing/mcp/consent.ts'
import {
  codeOfResponse,
  type LimitedCall,
  type LimitedCallers,
  type LimitUse,
  type LimitWorld,
  newAddress,
  repeatRows,
} from './limit-use.ts'

const friend = '13035550100'

/** Returns two credentials of one organization, which a person has written to. */
async function makeKeys({ server }: LimitWorld) {
  const organization = await makeOrganization(server)
  const { organizationId } = organization
  const containerId = await makeNumber(server, organization)
  await handleGatewayEvents(server.services, [
    arrival({ organizationId, containerId }, { from: { kind: 'phone', digits: friend } }),
  ])
  const ofNumber = await makeNumberKey(server, organization, containerId)
  return { organizationId, account: organization.apiKey, ofNumber }
}

/** Messages by two keys of one organization to a phone. */
async function sends(world: LimitWorld, phone: string, table: 'mcp_actions' | 'mcp_sends'): Promise<LimitedCallers> {
  const { organizationId, account, ofNumber } = await makeKeys(world)
  let n = 0
  const caller = async (key: string): Promise<LimitedCall> => {
    const ai = await connectAi(world.server.address, { key })
    return async () => {
      n += 1
      const args = { phone, message: 'Your order is ready.', idempotencyKey: `key-${n}` }
      const { isError, content } = await ai.call('send_message', args)
      return isError ? (JSON.parse(content[0]?.text ?? '') as { error: { code: string } }).error.code : undefined
    }
  }
  const useUp = () => repeatRows(world, table, organizationId)
  return { a: await caller(account), b: await caller(ofNumber), useUp }
}

/** Connects a client for a person. Returns the call that refreshes its tokens. */
async function refreshing(client: HandClient, token: string): Promise<LimitedCall> {
  const { refresh_token } = await client.connect({ token })
  return () => tokensOf(client, refresh_token)
}

async function tokensOf(client: HandClient, refresh_token: string): Promise<string | undefined> {
  const form = { grant_type: 'refresh_token', client_id: client.clientId, refresh_token }
  const { status, body } = await client.token(form, newAddress())
  return status === 200 ? undefined : codeOfResponse(Promise.resolve(Response.json(body, { status })))
}

type CredentialLimit = Extract<
  LimitName,
  `${string} of a connection` | `${string} of an AI client` | 'tokens of an app'
>

/** Two callers of each limit of credentials, and of that of apps. */
export const usesByCredential: Readonly<Record<CredentialLimit, LimitUse>> = {
  'tokens of a connection': async (world) => {
    const client = documentedClient(world.server, world.files, '/limited.json')
    const token = async () => makeToken(world.server, await makeOrganization(world.server))
    return { a: await refreshing(client, await token()), b: await refreshing(client, await token()) }
  },
  'calls of an AI client': async (world) => {
    const { account, ofNumber } = await makeKeys(world)
    const ping = (key: string) => () => codeOfResponse(post(world.server.address, 'ping', { key }))
    return { a: ping(account), b: ping(ofNumber) }
  },
  'sends of an AI client': (world) => sends(world, `+${friend}`, 'mcp_sends'),
  'waiting actions of an AI client': (world) => sends(world, '+13035552099', 'mcp_actions'),
  'tokens of an app': async ({ server }) => {
    const [a, b] = [await registerClient(server), await registerClient(server)]
    return { a: () => tokensOf(a, 'made-up'), b: () => tokensOf(b, 'made-up') }
  },
}
