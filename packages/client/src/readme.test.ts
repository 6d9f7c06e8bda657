import { readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import * as admin from './admin.ts'
import * as assistants from './assistants.ts'
import * as client from './index.ts'
import { settingsFrom } from './settings.ts'
import { type Answer, failure, json, serve, stream } from './test/scripted-server.ts'
import * as testing from './testing.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? '')

const event = { id: 'e', event: 'message.failed', data: { recipient: '12025550100', errorCode: 'EXPIRED' } }

/** Responds to the requests of the examples like the service. */
const service: Answer = (response, request) => {
  const answers: Record<string, Answer> = {
    'POST /alert/send': json(201, { success: true, messageId: 'm-1' }),
    'GET /messages/0b9f3c1e-52f4-4ac1-9e7e-6a4f7b1c2d3e': json(200, {
      success: true,
      message: { id: 'm', status: 'sent' },
    }),
    'GET /alert/messages/m': json(200, { success: true, message: { id: 'm', status: 'read' } }),
    'GET /bots': json(200, { success: true, bots: [{ name: 'Nour', status: 'active' }] }),
    'GET /me': json(200, { success: true, name: 'Ada' }),
    'GET /messages': json(200, {
      success: true,
      messages: [{ id: 'm', recipient: '1', error: 'no' }],
      nextCursor: null,
    }),
    'GET /events/stream': stream(`id: e\ndata: ${JSON.stringify(event)}\n\n`),
    'POST /auth/sign-in': json(200, { success: true, token: 't-1' }),
    'POST /otp/verify': failure(400, 'OTP_INVALID_CODE', { attemptsRemaining: 2 }),
  }
  return (answers[`${request.method} ${request.path}`] ?? failure(404, 'ROUTE_NOT_FOUND'))(response, request)
}

const modules = {
  '@msgctl/client': client,
  '@msgctl/client/assistants': assistants,
  '@msgctl/client/admin': admin,
  '@msgctl/client/testing': testing,
}

/** Runs an example with its imports resolved to the sources. */
async function run(code: string): Promise<unknown[][]> {
  const { baseUrl } = await serve(service)
  vi.stubEnv('MSG_BASE_URL', baseUrl)
  vi.stubEnv('MSG_API_KEY', 'k')
  const lines: unknown[][] = []
  const body = code.replace(/^import (\{.*\}) from ('@msgctl\/.*')$/gm, 'const $1 = modules[$2]')
  const AsyncFunction = run.constructor as new (...parts: string[]) => (...values: unknown[]) => Promise<void>
  try {
    await new AsyncFunction('modules', 'console', body)(modules, {
      log: (...all: unknown[]) => lines.push(all),
    })
  } finally {
    vi.unstubAllEnvs()
  }
  return lines
}

describe('README', () => {
  it('opens with an example of under 15 lines', () => {
    expect(examples[0]?.trim().split('\n').length).toBeLessThan(15)
  })

  it('shows only examples that run', async () => {
    const printed = []
    for (const code of examples) printed.push(await run(code))
    expect(printed).toEqual([
      [['queued', 'm-1']],
      [['sent'], ['Ada', 'req-1'], ['1', 'no'], ['read']],
      [['12025550100', 'EXPIRED']],
      [[{ attemptsRemaining: 2 }]],
      [[2, 'attempts left']],
      [[['Nour: active']]],
      [['t-1']],
      [
        ['OTP_INVALID_CODE'],
        [2, { requestId: '0b9f3c1e-52f4-4ac1-9e7e-6a4f7b1c2d3e', code: '123456' }],
        ['VALIDATION_ERROR'],
        ['message.failed'],
      ],
    ])
  })

  it('names the defaults the client has', () => {
    const { timeoutMs, deadlineMs, maxRetries, maxRetryAfterMs } = settingsFrom({ baseUrl: 'http://127.0.0.1/api/v1' })
    const numbers = Object.entries({ timeoutMs, deadlineMs, maxRetries, maxRetryAfterMs })
    for (const [name, value] of numbers) {
      expect(readme).toMatch(new RegExp(`\\| \`${name}\` +\\| ${value.toLocaleString('en-US')} +\\|`))
    }
  })
})
