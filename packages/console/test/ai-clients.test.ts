import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '../../server/src/platform/db/db.ts'
import { makePerson, password } from '../../server/src/testing/features/person.ts'
import { makeNumber } from '../../server/src/testing/make.ts'
import { connectAi, post } from '../../server/src/testing/mcp/ai-client.ts'
import { type HandClient, registerClient } from '../../server/src/testing/mcp/consent.ts'
import { serveDatabase, type TestServer } from '../../server/src/testing/start-server.ts'
import { violationsOn } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { makeTenant, startStage } from './stage.ts'

const text = 'Your technician comes on Monday.'

/** A program that waits for the answer of the consent at a port of this machine. */
async function startProgram() {
  const answers: URL[] = []
  const http = createServer((request, response) => {
    answers.push(new URL(request.url ?? '', 'http://localhost'))
    response.end('<!doctype html><title>Back</title><p>Back in the program</p>')
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  return { redirectUri: `http://127.0.0.1:${(http.address() as AddressInfo).port}/callback`, answers }
}

/** Exchanges the code that the program received. Returns the access token. */
async function tokenOf(client: HandClient, answers: readonly URL[]): Promise<string> {
  const callback = answers.find(({ pathname }) => pathname === '/callback')
  const { status, body } = await client.token(client.codeForm(callback?.searchParams.get('code') ?? ''))
  expect([status, body.scope]).toEqual([200, 'read send'])
  return body.access_token ?? ''
}

/** Lets an AI client ask to write to a person who never wrote. Returns the page that it names. */
async function askToSend({ address }: TestServer, key: string): Promise<string> {
  const ai = await connectAi(address, { key })
  const call = { phone: '+13035550999', message: text, idempotencyKey: 'page' }
  return (await ai.call('send_message', call)).structuredContent.approval.approvalUrl
}

const textsSent = ({ db }: TestServer, organizationId: string) =>
  rows<{ content: string }>(db, 'select content from messages where organization_id = :organizationId', {
    organizationId,
  })

/** Ticks sending beside reading, which alone is ticked at first, and allows the connection. */
async function allow(page: Page): Promise<void> {
  expect(await page.getByLabel(/^Read chats/).isChecked()).toBe(true)
  const send = page.getByLabel(/^Send messages/)
  expect(await send.isChecked()).toBe(false)
  await send.check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('Back in the program').waitFor()
}

describe.runIf(hasBrowser)('a person and an AI client in a browser', async () => {
  if (!hasBrowser) return
  const stage = await startStage()
  const { server } = stage

  it('connects it and approves its message at the addresses of the service, signed in as in the console', async () => {
    const organization = await makeTenant(stage)
    await makeNumber(server, organization)
    const { redirectUri, answers } = await startProgram()
    const client = await registerClient(server, redirectUri)
    const { page, complaints, hosts } = await stage.enter(organization)
    await page.goto(String(client.authorizeUrl({ scope: 'read send' })))
    await page.getByRole('heading', { name: '“Hand” asks to connect' }).first().waitFor()
    expect(page.url()).toMatch(new RegExp(`^${stage.base}/connect#request=[0-9a-f-]{36}$`))
    await page.getByText('Take care: the answer goes to a program on this computer').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await allow(page)

    const access = await tokenOf(client, answers)
    const approvalUrl = await askToSend(server, access)
    expect(approvalUrl).toMatch(`${stage.base}/approve#action=`)
    expect(await textsSent(server, organization.organizationId)).toEqual([])
    await page.goto(approvalUrl)
    await page.getByText(text).waitFor()
    expect(await violationsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page.getByText('Done', { exact: true }).waitFor()
    expect(await textsSent(server, organization.organizationId)).toEqual([{ content: text }])

    await page.goto(stage.address('profile'))
    const clients = page.locator('.card').filter({ hasText: 'AI clients that act for you' })
    await clients.getByText('Hand').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await clients.getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
    await clients.waitFor({ state: 'hidden' })
    const headers = { Authorization: `Bearer ${access}` }
    expect((await post(server.address, 'tools/list', { headers })).status).toBe(401)
    expect(complaints).toEqual([])
    expect([...hosts].sort()).toEqual([new URL(server.address).host, new URL(redirectUri).host].sort())
  })

  it('shows the same action in the console', async () => {
    const organization = await makeTenant(stage)
    await makeNumber(server, organization)
    const ai = await connectAi(server.address, { key: organization.apiKey })
    const call = { phone: '+13035550999', message: text, idempotencyKey: 'page' }
    const { actionId } = (await ai.call('send_message', call)).structuredContent.approval
    const { page, complaints } = await stage.enter(organization, `connections/${actionId}`)
    await page.getByText(text).waitFor()
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Denied', { exact: true }).waitFor()
    expect(await textsSent(server, organization.organizationId)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('does the same where the console is off, with one sign-in', async () => {
    const alone = await serveDatabase(server.db, server.databaseUrl, {
      worker: false,
      env: { CONSOLE: 'off', SECRETS_KEYS: server.services.config.secretsKeys },
    })
    onTestFinished(() => alone.stop())
    const person = await makePerson(alone)
    const { apiKey } = await person.client.account.generateKey()
    await makeNumber(server, { organizationId: person.organizationId, apiKey, ownerId: person.userId })
    const { redirectUri, answers } = await startProgram()
    const client = await registerClient(alone, redirectUri)
    const { page, complaints, hosts } = await stage.visit()
    await page.goto(String(client.authorizeUrl({ scope: 'read send' })))
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('“Hand” asks to connect').first().waitFor()
    await page.getByText(`Signed in as ${person.email}`).waitFor()
    expect(page.url()).toContain('/connect#request=')
    expect(await violationsOn(page)).toEqual([])
    await allow(page)
    await page.goto(await askToSend(alone, await tokenOf(client, answers)))
    await page.getByText(text).waitFor()
    expect(await violationsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page.getByText('Done', { exact: true }).waitFor()
    expect(await textsSent(alone, person.organizationId)).toEqual([{ content: text }])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail').waitFor()
    expect(await page.context().cookies()).not.toContainEqual(expect.objectContaining({ name: 'msgctl' }))
    expect(complaints).toEqual([])
    expect([...hosts].sort()).toEqual([new URL(alone.address).host, new URL(redirectUri).host].sort())
  })
})
