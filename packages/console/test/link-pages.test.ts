import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { rows } from '../../server/src/platform/db/db.ts'
import { eventually } from '../../server/src/testing/eventually.ts'
import { turnOn } from '../../server/src/testing/features/authenticator.ts'
import { linkTokenTo, makePerson, newEmail, password } from '../../server/src/testing/features/person.ts'
import { makeNumber } from '../../server/src/testing/make.ts'
import { connectAi } from '../../server/src/testing/mcp/ai-client.ts'
import { registerClient } from '../../server/src/testing/mcp/consent.ts'
import { serveDatabase } from '../../server/src/testing/start-server.ts'
import { violationsOn } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { findCovered, findUnfocusable, findUnmarked, findWide } from './in-page.ts'
import { startStage } from './stage.ts'

const newPassword = 'another long password'
const pictureFolder = path.join(import.meta.dirname, '../dist/pictures')

/** The pages are seen in each language, in light and dark, wide and narrow. */
const looks = [
  [1360, 'light', 'en'],
  [390, 'dark', 'ar'],
] as const

async function problemsOn(page: Page): Promise<string[]> {
  return [
    ...(await violationsOn(page)),
    ...(await page.evaluate(findWide)),
    ...(await page.evaluate(findCovered)),
    ...(await page.evaluate(findUnfocusable)),
    ...(await page.evaluate(findUnmarked)),
  ]
}

describe.runIf(hasBrowser).each([true, false])('the pages of links, console on: %s', async (isOn) => {
  if (!hasBrowser) return
  const stage = await startStage()
  const { server } = stage
  const shown = isOn
    ? server
    : await serveDatabase(server.db, server.databaseUrl, {
        worker: false,
        env: { CONSOLE: 'off', SECRETS_KEYS: server.services.config.secretsKeys },
      })
  if (!isOn) afterAll(() => shown.stop())
  /** The worker of the stage sends mails too, so that one can be under way. */
  const mailed = (email: string, purpose: 'join' | 'reset' | 'verify') =>
    eventually(
      () => linkTokenTo(server, email, purpose).catch(() => ''),
      (token) => token !== '',
    )
  const account = (purpose: string, token: string) => `${shown.address}/account#${purpose}=${token}`

  it('set a new password, and say so', async () => {
    const { email } = await makePerson(server)
    await server.client({}).auth.forgotPassword({ email })
    const token = await mailed(email, 'reset')
    const { page, complaints } = await stage.visit()
    await page.goto(account('reset', token))
    await page.getByLabel('New password').fill(newPassword)
    expect(page.url()).not.toContain(token)
    expect(await violationsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('The password is changed.').waitFor()
    expect((await server.client({}).auth.signIn({ email, password: newPassword })).twoFactorRequired).toBe(false)
    expect(complaints).toEqual([])
    if (!isOn) return page.getByText('You can close this page.').waitFor()
    await page.getByRole('button', { name: 'Open the console' }).click()
    await page.getByLabel('E-mail').waitFor()
    expect(page.url()).toBe(stage.address())
  })

  it('confirm an address, once', async () => {
    const { email } = await makePerson(server)
    const token = await mailed(email, 'verify')
    const { page } = await stage.visit()
    await page.goto(account('verify', token))
    await page.getByText('Your address is confirmed.').waitFor()
    const confirmed = 'select email from users where email = :email and email_verified_at is not null'
    expect(await rows(server.db, confirmed, { email })).toEqual([{ email }])
    await page.goto('about:blank')
    await page.goto(account('verify', token))
    await page.getByText('This link no longer works').waitFor()
    await page.getByText('INVALID_LINK').waitFor()
  })

  it('let a new person and one with two steps join', async () => {
    const owner = await makePerson(server, 'Olga')
    const invite = async (email: string) => {
      await owner.client.team.invite({ email, role: 'member' })
      return mailed(email, 'join')
    }
    const { page, complaints } = await stage.visit()
    await page.goto(account('join', await invite(newEmail())))
    await page.getByText('Join Olga Engines').waitFor()
    await page.getByLabel('Your name').fill('Max')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByText('You are a member of Olga Engines.').waitFor()

    const careful = await makePerson(server)
    await server.client({}).auth.verifyEmail({ token: await mailed(careful.email, 'verify') })
    const { authenticator } = await turnOn(careful.client)
    await page.goto('about:blank')
    await page.goto(account('join', await invite(careful.email)))
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByLabel('Code').fill(authenticator.code())
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('You are a member of Olga Engines.').waitFor()
    expect(complaints).toEqual([])
  })

  it.each(['account', 'account#other=1', 'connect', 'connect#action=0', 'approve#request=0'])(
    'say that /%s is not complete',
    async (target) => {
      const { page, complaints } = await stage.visit()
      await page.goto(`${shown.address}/${target}`)
      await page.getByText('This link is not complete').waitFor()
      expect(await violationsOn(page)).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  it('switch to the organization that the client asks, and show another action in the same tab', async () => {
    const person = await makePerson(server)
    const { apiKey } = await person.client.account.generateKey()
    await makeNumber(server, { organizationId: person.organizationId, apiKey, ownerId: person.userId })
    const ai = await connectAi(shown.address, { key: apiKey })
    const ask = async (message: string) =>
      (await ai.call('send_message', { phone: '+13035550999', message, idempotencyKey: `page-${message.length}` }))
        .structuredContent.approval.approvalUrl
    const [first, second] = [await ask('The first text.'), await ask('The second text.')]
    await person.client.organization.create({ name: 'Other' })
    const { page } = await stage.visit()
    await page.goto(first)
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const organizations = page.getByLabel('Organization')
    await organizations.waitFor()
    await organizations.selectOption('Other')
    await page.getByText('NOT_FOUND').waitFor()
    await organizations.selectOption('Ada Engines')
    await page.getByText('The first text.').waitFor()
    await page.goto(second)
    await page.getByText('The second text.').waitFor()
  })

  it.each(looks)('look sound at %i px, %s, in %s', async (width, scheme, language) => {
    const person = await makePerson(server)
    const { apiKey } = await person.client.account.generateKey()
    await makeNumber(server, { organizationId: person.organizationId, apiKey, ownerId: person.userId })
    const { page, complaints } = await stage.visit({
      viewport: { width, height: width < 700 ? 844 : 860 },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      locale: language,
    })
    const ai = await connectAi(shown.address, { key: apiKey })
    const call = { phone: '+13035550999', message: 'Your technician comes on Monday.', idempotencyKey: 'page' }
    const { approvalUrl } = (await ai.call('send_message', call)).structuredContent.approval
    await server.client({}).auth.forgotPassword({ email: person.email })
    const steps: [name: string, url: string, ready: string][] = [
      ['reset', account('reset', await mailed(person.email, 'reset')), '.entrance form'],
      ['incomplete', `${shown.address}/connect`, '.entrance'],
      ['approve', approvalUrl, '.entrance form'],
      ['approve', approvalUrl, '.bubble'],
      ['connect', String((await registerClient(shown)).authorizeUrl({ scope: 'read send manage' })), '.check'],
    ]
    for (const [name, url, ready] of steps) {
      await page.goto(url)
      if (ready === '.bubble') {
        await page.locator('[name=email]').fill(person.email)
        await page.locator('[name=password]').fill(password)
        await page.locator('[type=submit]').click()
      }
      await page.locator(ready).first().waitFor()
      expect(await page.evaluate('document.documentElement.lang')).toBe(language)
      if (process.env.LOOKS === 'pictures') {
        mkdirSync(pictureFolder, { recursive: true })
        const part = ready.replace(/\W+/g, '-')
        await page.screenshot({ path: path.join(pictureFolder, `link-${name}${part}-${width}-${isOn}.png`) })
      }
      expect(await problemsOn(page), name).toEqual([])
    }
    expect(complaints).toEqual([])
  })
})
