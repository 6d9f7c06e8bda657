import { createHash, randomBytes } from 'node:crypto'

/** Who allows the connection, and where. */
interface Person {
  readonly baseUrl: string
  readonly email: string
  readonly password: string
}

/** Connects an AI client by OAuth, as a person would in a browser. Returns the id of its connection. */
export async function connectAi({ baseUrl, email, password }: Person): Promise<string> {
  const redirect = 'https://ai.example.com/callback'
  const { client_id } = await post(`${baseUrl}/oauth/register`, {
    client_name: 'Example AI',
    redirect_uris: [redirect],
  })
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: String(client_id),
    redirect_uri: redirect,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const opened = await fetch(`${baseUrl}/oauth/authorize?${query}`, { redirect: 'manual' })
  const request = opened.headers.get('location')?.split('/connect#request=')[1] ?? ''
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
  const { token } = await post(`${baseUrl}/auth/sign-in`, { email, password })
  const headers = { cookie, authorization: `Bearer ${token}` }
  await post(`${baseUrl}/oauth/requests/${request}/approve`, { scopes: ['read'], containerId: null }, headers)
  const listed = await fetch(`${baseUrl}/mcp/connections`, { headers })
  const { connections } = (await listed.json()) as { connections: { id: string }[] }
  return connections[0]?.id ?? ''
}

async function post(url: string, body: object, headers = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

/** The preparations of lines about AI clients. */
export const aiPreparations = {
  connection: ['connection=$(connect-ai)'],
  called: ['msgctl mcp call list_numbers'],
  action: [
    'action=$(msgctl mcp call send_message -f phone=+12025550199 -f message=hi -f idempotencyKey=a --output ' +
      'plain --fields approval.actionId)',
  ],
}
