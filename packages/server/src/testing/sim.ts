import type { TestServer } from './start-server.ts'

/** What tests set as SIM_TOKEN. */
export const testSimToken = 'the-token-of-a-test'

/** One message that really reached a phone of the simulated network. */
export interface TranscriptEntry {
  readonly clientId: string
  readonly networkId: string
  readonly containerId: string
  readonly to: string
  readonly content: unknown
  readonly typed: boolean
  readonly at: string
}

/** Calls a /sim route as msgctl does; fails when it is refused. */
export async function sim<T>(server: Pick<TestServer, 'address'>, call: string, body?: object): Promise<T> {
  const [method = '', path = ''] = call.split(' ')
  const response = await fetch(`${server.address}/sim/${path}`, {
    method,
    headers: { 'x-sim-token': testSimToken, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${call} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer as T
}

/** What reached phones from a number, oldest first. */
export async function transcriptOf(
  server: Pick<TestServer, 'address'>,
  containerId: string,
): Promise<TranscriptEntry[]> {
  const { messages } = await sim<{ messages: TranscriptEntry[] }>(
    server,
    `GET transcript?containerId=${containerId}&limit=1000`,
  )
  return messages
}
