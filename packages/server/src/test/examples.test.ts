import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeNumber, makeOrganization } from './make.ts'
import { startTestServer } from './start-server.ts'
import { buildServer } from './worker-process.ts'

const examples = fileURLToPath(new URL('../../../../examples/', import.meta.url))
const server = await startTestServer()
const organization = await makeOrganization(server)
await makeNumber(server, organization)
const client = server.client(organization)
const credentials = { PATH: process.env.PATH, MSG_API_KEY: organization.apiKey, MSG_BASE_URL: server.baseUrl }

async function sendAndWait(...args: string[]): Promise<string> {
  const script = path.join(examples, 'send-and-wait/send-and-wait.mjs')
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env: credentials })
  return stdout
}

describe('the examples', () => {
  beforeAll(buildServer, 120_000)

  it('send a text and wait until it is read, or say that nobody is there', async () => {
    expect(await sendAndWait('+12025550100', 'hello')).toBe('12025550100: read\n')
    expect(await sendAndWait('+12025550101')).toBe('+12025550101 is not on the network\n')
  })

  it('receive signed webhooks, and refuse one that was changed', async () => {
    const first = await client.webhook.set({ webhookUrl: 'http://127.0.0.1:4000/' })
    const receiver = spawn(process.execPath, [path.join(examples, 'webhook-receiver/receiver.mjs')], {
      env: { ...credentials, PORT: '0', WEBHOOK_SECRET: first.signingSecret ?? '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(async () => {
      receiver.kill()
      await once(receiver, 'exit')
    })
    const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]()
    const listening = String((await lines.next()).value)
    const webhookUrl = `${listening.replace('listening at ', '')}/`
    await client.webhook.set({ webhookUrl })

    const { messageId } = await client.alert.send({ phone: '12025550100', message: 'hello' })
    const heard = [String((await lines.next()).value), String((await lines.next()).value)]
    expect(heard.sort()).toEqual([`delivered to 12025550100 (${messageId})`, `read by 12025550100 (${messageId})`])

    const forged = await fetch(webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-event': 'message.read',
        'x-service-signature': 't=1,v1=00',
      },
      body: '{}',
    })
    expect(forged.status).toBe(400)
  })
})
