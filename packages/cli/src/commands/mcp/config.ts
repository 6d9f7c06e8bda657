import { Argument } from 'commander'
import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'

const clients = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex'] as const
type Client = (typeof clients)[number]

/** What to paste for each client; each of them then opens the consent page. */
const texts: Readonly<Record<Client, (url: string) => string>> = {
  'claude-code': (url) => `claude mcp add --transport http messages ${url}`,
  'claude-desktop': (url) => `Settings, Connectors, Add custom connector:\n${url}`,
  cursor: (url) => JSON.stringify({ mcpServers: { messages: { url } } }, null, 2),
  vscode: (url) => JSON.stringify({ servers: { messages: { type: 'http', url } } }, null, 2),
  codex: (url) => `[mcp_servers.messages]\nurl = "${url}"`,
}

async function config(context: Context, client: Client): Promise<void> {
  const url = `${context.target.baseUrl}/mcp`
  const text = texts[client](url)
  if (context.print.format !== 'table') {
    await context.print.record({ client, url, text }, [{ field: 'text', title: 'Text' }])
    return
  }
  await context.print.text(`${text}\n`)
}

/** `mcp config`. */
export const configVerb = verb(
  'config',
  'print what to paste into an AI client',
  config,
  ['msgctl mcp config claude-code'],
  (command) => command.addArgument(new Argument('<client>', 'the AI client').choices(clients)),
)
