import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { cleanUpAfterFile } from '#testing/cleanup.ts'

/** A result of a tool, as tests read it. */
interface ToolResult {
  readonly isError?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests read results of any shape
  readonly structuredContent?: any
  readonly content: readonly { readonly type: string; readonly text: string }[]
}

/** An AI client of a test: the protocol's own client. */
export interface AiClient {
  readonly client: Client
  /** Calls a tool and returns its result, be it an error. */
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>
  /** Calls a tool and returns its error. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read errors of any shape
  refusal(name: string, args?: Record<string, unknown>): Promise<any>
}

/** Connects the protocol's client with a key or token; headers replace the usual ones. */
export async function connectAi(
  address: string,
  { key, headers = {}, query = '' }: { key?: string; headers?: Record<string, string>; query?: string },
): Promise<AiClient> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const sent = { ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }), ...headers }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${address}/api/v1/mcp${query}`), { requestInit: { headers: sent } }),
  )
  cleanUpAfterFile(() => client.close())
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as unknown as ToolResult
  return {
    client,
    call,
    async refusal(name, args) {
      const { isError, content } = await call(name, args)
      if (!isError) throw new Error(`${name} succeeded`)
      return JSON.parse(content[0]?.text ?? '').error
    },
  }
}

/** Sends one JSON-RPC request of the older revisions by hand. */
export async function post(
  address: string,
  method: string,
  { key, headers = {}, params = {} }: { key?: string; headers?: Record<string, string>; params?: object },
): Promise<Response> {
  return fetch(`${address}/api/v1/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(key === undefined ? {} : { 'X-API-Key': key }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
}
