import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import jsQR from 'jsqr'
import { PNG } from 'pngjs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makePerson, password } from '../../server/src/testing/features/person.ts'
import { makeNumber } from '../../server/src/testing/make.ts'
import { sim } from '../../server/src/testing/sim.ts'
import { hasBrowser } from './browser.ts'
import { makeTenant, startStage } from './stage.ts'

/** Every flow also runs behind a proxy with FLOWS=full; in short, two of them do. */
const grounds = [
  ['on its own address', false],
  ['behind a proxy with https and a path', true],
] as const

describe.runIf(hasBrowser).each(grounds)('the console in a browser, %s', async (_ground, isProxied) => {
  if (!hasBrowser) return
  const stage = await startStage({ isProxied })
  const { server } = stage
  const it = test.runIf(!isProxied || process.env.FLOWS === 'full')

  test('refuses a wrong password, signs in with the right one, is live, and signs out', async () => {
    const person = await makePerson(server)
    const { page, complaints, hosts } = await stage.visit()
    await page.goto(stage.address())
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill('a wrong password')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.locator('.live[data-state=live]').waitFor()
    const [cookie] = await page.context().cookies()
    expect(cookie).toMatchObject({ ...stage.cookie, httpOnly: true, sameSite: 'Strict' })
    expect(await page.evaluate('document.cookie')).toBe('')
    await page.locator('.handset').waitFor()
    // The phone beside the page is read every 700 ms, which must end before the session does, and not with the page.
    await page.route(stage.address(), (route) => setTimeout(() => route.continue(), 1_000))
    await page.getByRole('button', { name: 'Account and settings' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail').waitFor()
    expect(await page.context().cookies()).toEqual([])
    expect([...hosts]).toEqual([new URL(stage.base).host])
    // The browser itself logs the refused password.
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([])
  })

  it('opens by a welcome link, once', async () => {
    const { client } = await makePerson(server)
    const { code } = await client.auth.consoleCode()
    const { page } = await stage.visit()
    await page.goto(stage.address(`#welcome=${code}`))
    await page.locator('.shell').waitFor()
    expect(page.url()).not.toContain(code)
    const other = await stage.visit()
    await other.page.goto(stage.address(`#welcome=${code}`))
    await other.page.getByText('This link no longer works').waitFor()
  })

  it('leads a new organization to its first message, which is read on the phone beside it', async () => {
    const organization = await makeTenant(stage)
    await makeNumber(server, organization, { label: 'Demo' })
    const { page, complaints } = await stage.enter(organization)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('.handset .bubble', { hasText: 'Hello Anna' }).waitFor()
    await page.locator('.task', { hasText: 'Watch it arrive' }).getByText('Read').waitFor()
    await page.getByLabel('Write from this phone').fill('Thank you')
    await page.getByRole('button', { name: 'Send from this phone' }).click()
    await page.locator('.task[data-done=true]', { hasText: 'Reply from the phone' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('links a number: its QR is read from the screen, and the end of the scan is noticed', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization, { label: 'Support', linked: false })
    const { page } = await stage.enter(organization, 'numbers')
    await page
      .getByRole('row', { name: /Support/ })
      .getByRole('button', { name: 'Link' })
      .click()
    await page.getByAltText('QR code to scan').waitFor()
    const { data, width, height } = PNG.sync.read(await page.locator('.qr').screenshot())
    const { qr } = (await server.client(organization).numbers.qr({ containerId, format: 'raw' })) as {
      qr: { text: string }
    }
    expect(jsQR(new Uint8ClampedArray(data), width, height)?.data).toBe(qr.text)
    await sim(server, `POST numbers/${containerId}/scan`, {})
    await page.getByText('Support is linked and can send.').first().waitFor()
    await page
      .getByRole('row', { name: /Support/ })
      .getByText('Working')
      .waitFor()
  })

  it('links a number by a pairing code', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization, { label: 'Support', linked: false })
    const { page } = await stage.enter(organization, `numbers/${containerId}?link`)
    await page.getByText('No camera?').click()
    await page.getByLabel('Number of the phone').fill('+12025550181')
    await page.getByRole('button', { name: 'Get a code' }).click()
    expect(await page.locator('.code').textContent()).toMatch(/\w{4}-\w{4}/)
    await page.getByText('Support is linked and can send.').first().waitFor()
  })

  it('shows by itself that a phone was unlinked, as a badge and as a card', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization, { label: 'Sales' })
    await server.client(organization).alert.send({ phone: '12025550100', message: 'first' })
    const { page } = await stage.enter(organization)
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await sim(server, `POST numbers/${containerId}/unlink`, {})
    await page.getByRole('link', { name: /1 not working/ }).waitFor()
    await page.getByText('Sales: Needs linking').waitFor()
  })

  test('shows by itself what comes in, and sends the reply', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization)
    const { page } = await stage.enter(organization, 'inbox')
    await page.locator('.live[data-state=live]').waitFor()
    await page.getByText('Everyone has a reply').waitFor()
    await sim(server, 'POST inbound', { containerId, from: '12025550158', text: 'A table for four?' })
    await page.locator('.chat', { hasText: 'A table for four?' }).waitFor()
    await page.locator('.chat').click()
    await page.getByLabel('Reply', { exact: true }).fill('Yes, at eight.')
    await page.keyboard.press('Enter')
    await page.locator('.bubble.mine', { hasText: 'Yes, at eight.' }).waitFor()
  })

  it('explains a failed message', async () => {
    const organization = await makeTenant(stage)
    await makeNumber(server, organization)
    await server.client(organization).alert.send({ phone: '12025550110', message: 'Your parcel leaves today.' })
    const { page } = await stage.enter(organization, 'messages')
    await page.locator('.vrow a', { hasText: 'GATEWAY_ERROR' }).click()
    await page.getByText('The network refused the message').waitFor()
    await page.getByText('It failed').waitFor()
  })

  it('shows a new key once', async () => {
    const organization = await makeTenant(stage)
    const { page } = await stage.enter(organization, 'keys')
    await page.getByRole('button', { name: 'Replace' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    const key = await page.getByRole('dialog').locator('output').textContent()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await expect.poll(() => page.getByText(key ?? '').count()).toBe(0)
    expect((await server.client({ apiKey: key ?? '' }).account.me()).hasApiKey).toBe(true)
  })

  it('finds a page by keyboard alone', async () => {
    const { page } = await stage.enter(await makeTenant(stage))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('webh')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/webhook')
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.waitForURL('**/console/messages')
  })

  it('asks to sign in over the page when the session ends elsewhere, and keeps what was typed', async () => {
    const { email, client } = await makePerson(server)
    const { page } = await stage.visit()
    await page.goto(stage.address())
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.locator('.shell').waitFor()
    await page.goto(stage.address('campaigns/new'))
    await page.getByLabel('Text', { exact: true }).fill('half a text')
    await client.auth.endSessions()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await dialog.getByLabel('E-mail').fill(email)
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('half a text')
    await page.locator('.live[data-state=live]').waitFor()
  })

  it('refuses what another origin does with the cookie', async () => {
    const organization = await makeTenant(stage)
    const { page } = await stage.enter(organization)
    const form = `<form method=post action="${stage.base}/api/v1/me/regenerate-key"></form>`
    const site = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(form))
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void site.close())
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
    const seen = page.waitForResponse(`${stage.base}/api/v1/me/regenerate-key`)
    await page.evaluate('document.forms[0].submit()')
    expect((await seen).status()).toBe(401)
    expect(await (await seen).json()).toMatchObject({ error: { code: 'AUTH_ERROR' } })
    expect((await server.client(organization).account.me()).hasApiKey).toBe(true)
  })
})
