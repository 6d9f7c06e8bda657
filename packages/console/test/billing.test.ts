import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { setPlatformAdmin } from '../../server/src/people/organizations/platform-admin.ts'
import { rows } from '../../server/src/platform/db/db.ts'
import { makeNumber, makeOrganization } from '../../server/src/testing/make.ts'
import {
  buy,
  cards,
  fault,
  healed,
  known,
  makeBuyer,
  settledPayments,
} from '../../server/src/testing/payments/buyer.ts'
import { sim } from '../../server/src/testing/sim.ts'
import { violationsOn } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { findWide } from './in-page.ts'
import { startStage } from './stage.ts'

const pictureFolder = path.join(import.meta.dirname, '../dist/pictures')
const day = 86_400

/** Checks how a page looks; with LOOKS=pictures it is saved as an image too. */
async function look(page: Page, name: string): Promise<void> {
  await page.locator('h1').first().waitFor()
  expect([name, await violationsOn(page), await page.evaluate(findWide)]).toEqual([name, [], []])
  if (process.env.LOOKS !== 'pictures') return
  mkdirSync(pictureFolder, { recursive: true })
  await page.screenshot({ path: path.join(pictureFolder, `billing-${name}.png`) })
}

describe.runIf(hasBrowser)('billing in the console', async () => {
  if (!hasBrowser) return
  const stage = await startStage({ env: { PAYMENTS: 'simulated' } })
  const { server } = stage

  it('is bought with a card, fails, pauses, is paid again, changed and stopped', async () => {
    const organization = await makeOrganization(server, { granted: false })
    await makeNumber(server, organization, { label: 'Shop' })
    const open = async (at = 'billing') => (await stage.enter(organization, at)).page
    let page = await open()
    const banner = page.locator('.banner')
    await banner.getByText('days of the trial are left').waitFor()
    await page.locator('.plan').first().waitFor()
    await look(page, '1-trial')
    await page.getByLabel(/^Notify/).check()
    await page.getByLabel(/^Developer/).check()
    await page.getByRole('spinbutton').fill('2')
    await page.getByRole('button', { name: 'See the price' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('88.00 USD').first().waitFor()
    await look(page, '2-price')
    await dialog.getByRole('button', { name: 'Pay by card' }).click()
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()
    await page.getByRole('button', { name: /^4242/ }).click()
    await page.getByText('Paid.').waitFor()
    await page.goto(stage.address('billing'))
    await page.locator('.facts').getByText('Active', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Receipt' }).waitFor()
    expect(await page.locator('.banner').count()).toBe(0)
    await look(page, '3-paid')

    await page.getByLabel(/^Shop/).check()
    await page.getByRole('button', { name: 'See what it costs' }).click()
    await page.getByRole('dialog').getByText('Now', { exact: true }).waitFor()
    await look(page, '4-change')
    await page.getByRole('button', { name: 'Change it' }).click()
    await page.getByText('The plan is changed.').first().waitFor()
    await page.locator('.facts').getByText(/Shop/).first().waitFor()

    const card = { card: cards.failsLater }
    await sim(server, `POST payments/organizations/${organization.organizationId}/card`, card)
    await server.advance(31 * day + 7200)
    await settledPayments(server)
    page = await open()
    await page
      .locator('.banner.bad')
      .getByText(/The payment of .127\.00 USD. failed \(card declined\)/)
      .waitFor()
    // A change would be refused, so that it is not offered.
    expect(await page.getByLabel(/^Shop/).isDisabled()).toBe(true)
    await page.getByText('The plan can be changed once the open invoice is paid.').waitFor()
    await look(page, '5-failed')
    await server.advance(8 * day)
    await settledPayments(server)
    page = await open('')
    await page.locator('.banner.bad').getByText('Sending is paused. Nothing was deleted.').waitFor()
    await look(page, '6-paused')
    const member = (await stage.enter(organization, 'billing', { role: 'member' })).page
    await member.locator('.banner.bad').getByText('Nothing was deleted. Ask an owner or admin.').waitFor()
    await member.getByText('Owners and admins see and change the billing.').waitFor()
    expect(await member.locator('.banner a, .banner button').count()).toBe(0)
    await page.locator('.banner').getByRole('link', { name: 'Pay now' }).click()
    await page.getByRole('button', { name: /^4242/ }).click()
    await page.getByText('Paid.').waitFor()
    await page.goto(stage.address('billing'))
    await page.locator('.facts').getByText('Active', { exact: true }).waitFor()
    await look(page, '7-paid-again')

    await page.getByRole('button', { name: 'Stop the plan' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop the plan' }).click()
    await page.locator('.banner.warning').getByText('Your plan ends on').waitFor()
    await look(page, '8-ending')
    await page.locator('.banner').getByRole('button', { name: 'Keep it' }).click()
    await page.locator('.banner').waitFor({ state: 'detached' })
  }, 240_000)

  it('opens one checkout for two presses, and keeps what was chosen when the provider is away', async () => {
    const buyer = await makeBuyer(server)
    const { page } = await stage.enter(buyer, 'billing')
    await page.getByLabel(/^Notify/).check()
    await page.getByLabel(/^Country/).fill('ZZ')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.error').getByText('must be a country').waitFor()
    expect(await page.getByLabel(/^Country/).inputValue()).toBe('ZZ')
    await page.getByLabel(/^Country/).fill('de')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Germany').waitFor()
    await page.getByRole('button', { name: 'See the price' }).click()
    await fault(server, buyer, { calls: 'refused' })
    await page.getByRole('button', { name: 'Pay by card' }).click()
    await page.getByRole('dialog').getByText('PAYMENT_UNAVAILABLE').waitFor()
    await healed(server, buyer)
    await page.getByRole('button', { name: 'Pay by card' }).dblclick()
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()
    await page.getByText('1 × Notify, each month').waitFor()
    expect((await known(server, buyer)).checkouts).toHaveLength(1)
  })

  it('shows at once that a change waits for its payment', async () => {
    const buyer = await makeBuyer(server)
    await buy(server, buyer, { products: ['developer'] }, cards.asksAlways)
    const { page } = await stage.enter(buyer, 'billing')
    await page.getByRole('spinbutton').fill('4')
    await page.getByRole('button', { name: 'See what it costs' }).click()
    await page.getByRole('dialog').getByText('40.00 USD').first().waitFor()
    await page.getByRole('button', { name: 'Change it' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('link', { name: 'Pay now' }).waitFor()
    await page.locator('.banner.warning').getByText('Your change waits for a payment').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('.facts').getByText('Extra numbers: 4').waitFor()
    expect(await page.getByRole('spinbutton').inputValue()).toBe('4')
    await page.locator('.banner').getByRole('link', { name: 'Pay' }).click()
    await page.getByRole('button', { name: 'The stored card' }).click()
    await page.getByText('Paid.').waitFor()
    const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const
    const small = (await stage.enter(buyer, 'billing', phone)).page
    await small.evaluate(() => localStorage.setItem('msgctl.language', 'ar'))
    await small.reload()
    await small.locator('.facts').getByText('⁦89.00 USD⁩').first().waitFor()
    await look(small, '12-arabic')
  })

  it('shows the staff all organizations, and one of them', async () => {
    const staff = await makeOrganization(server)
    await setPlatformAdmin(server.db, staff.organizationId, true)
    const { page, complaints } = await stage.enter(staff)
    await page.getByRole('link', { name: 'Administration' }).click()
    await page.getByText('must sign in with two steps').waitFor()
    expect(await page.locator('.problem').count()).toBe(1)
    await rows(server.db, 'update user_tokens set two_factor_at = service_now() where organization_id = :id', {
      id: staff.organizationId,
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('tbody tr').first().waitFor()
    await look(page, '9-administration')
    await page.locator('tbody a').last().click()
    await page.getByText('Messages of 30 days').waitFor()
    await look(page, '10-organization')
    // The browser itself logs the refusal.
    expect(complaints.filter((text) => !text.includes('403'))).toEqual([])
  })
})

describe.runIf(hasBrowser)('the console of a service that sells nothing', async () => {
  if (!hasBrowser) return
  const stage = await startStage()

  it('has no billing in its menu, and its page says how to try it', async () => {
    const organization = await makeOrganization(stage.server, { granted: false })
    const { page, complaints } = await stage.enter(organization, 'billing')
    await page.getByText('PAYMENTS=simulated npm start').waitFor()
    expect(await page.getByRole('link', { name: 'Billing' }).count()).toBe(0)
    expect(await page.locator('.banner').count()).toBe(0)
    await look(page, '11-off')
    expect(complaints).toEqual([])
  })
})
