import type { MessagingClient } from '@msgctl/client'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'

/** The revision of the protocol that msgctl speaks: each request stands alone. */
const revision = '2026-07-28'

interface Response {
  readonly result?: unknown
  readonly error?: { readonly message?: string }
}

/** Makes one request of the Model Context Protocol. Throws a CliError when the protocol refuses it. */
export async function callMcp(
  client: MessagingClient,
  method: string,
  { name, ...params }: { readonly name?: string; readonly arguments?: object },
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'msgctl', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...(name && { name }), ...params, _meta: meta } }
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
    'mcp-method': method,
    ...(name && { 'mcp-name': name }),
  }
  const { data } = await client.request('POST', '/mcp', body, { signal, headers })
  const { result, error } = data as Response
  if (typeof result === 'object' && result !== null) return result as Record<string, unknown>
  throw new CliError(error?.message ?? 'The service responded in another form.', {
    code: 'MCP_REFUSED',
    exitCode: exitCodes.usage,
    advice: 'See the tools and their arguments with: msgctl mcp tools --json',
  })
}
