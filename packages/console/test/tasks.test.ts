import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { rows } from '../../server/src/platform/db/db.ts'
import { eventually } from '../../server/src/testing/eventually.ts'
import { makeNumber } from '../../server/src/testing/make.ts'
import { samples } from '../../server/src/testing/sample-files.ts'
import { sim } from '../../server/src/testing/sim.ts'
import { hasBrowser } from './browser.ts'
import { converse } from './converse.ts'
import { makeTenant, startStage } from './stage.ts'

const person = '12025550158'

/** Fills and sends the form of the dialog that is open. */
async function submitDialog(page: Page, fields: Readonly<Record<string, string>>, button: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** With FLOWS=full, each also runs behind a proxy. */
const grounds: readonly (readonly [ground: string, isProxied: boolean])[] = [
  ['on its own address', false],
  ...(process.env.FLOWS === 'full' ? ([['behind a proxy with https and a path', true]] as const) : []),
]

describe.runIf(hasBrowser)('a number whose last two links failed', async () => {
  if (!hasBrowser) return
  const stage = await startStage({ isProxied: false })
  const { server } = stage

  it('shows what to check instead of a third QR, until a person has read it', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization, { label: 'Shop', linked: false })
    await rows(
      server.db,
      `with real as (update numbers set gateway = 'direct' where id = :containerId returning organization_id, id)
       insert into number_history (organization_id, container_id, at, from_status, to_status, reason, source)
       select organization_id, id, service_now(), 'SCAN_QR_CODE', 'FAILED', 'qr_expired', 'network'
         from real, generate_series(1, 2)`,
      { containerId },
    )
    const { page } = await stage.enter(organization, `numbers/${containerId}`)
    await page.getByRole('button', { name: 'Link', exact: false }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Stop, and read this').waitFor()
    expect(await dialog.getByText('Hold the phone before this code.').count()).toBe(0)
    await dialog.getByRole('button', { name: 'I have read this. Link it again' }).click()
    await dialog.getByText('Hold the phone before this code.').waitFor()
  })
})

describe.runIf(hasBrowser).each(grounds)('assistants, files, opt-outs and keys, %s', async (_ground, isProxied) => {
  if (!hasBrowser) return
  const stage = await startStage({ isProxied })
  const { server } = stage

  it('creates an assistant, teaches it, tries it, and activates it', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization, { label: 'Shop' })
    const { page, complaints } = await stage.enter(organization, 'assistants')
    await page.getByRole('button', { name: 'New assistant' }).click()
    await submitDialog(page, { Name: 'Front desk' }, 'Create')
    await page.getByRole('heading', { name: 'Front desk' }).waitFor()
    await page.getByLabel('Shop').first().check()
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('Saved.').first().waitFor()

    await page.getByRole('link', { name: 'Answers' }).click()
    await page.getByRole('button', { name: 'Add an answer' }).click()
    await submitDialog(page, { Questions: 'When are you open?', Answer: 'From 9 to 5.' }, 'Save')
    await page.getByText('From 9 to 5.').waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Question', { exact: true }).fill('When are you open?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByLabel('What it would say').getByText('From 9 to 5.').waitFor()

    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await converse(stage, { containerId, from: person, texts: ['When are you open?'] })
    await page.getByRole('link', { name: 'Conversations' }).click()
    await page.locator('.items .item').first().waitFor()
    const { messages } = await server.client(organization).messages.list({})
    expect(messages.map(({ content }) => content)).toEqual([expect.stringContaining('From 9 to 5.')])
    expect(complaints).toEqual([])
  })

  it('resolves a question that an assistant left to people, and moves its order on', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    const shop = { enabled: true, currency: 'EUR', askName: false, askAddress: false }
    const { bot } = await client.bots.create({ name: 'Kitchen', containerIds: [containerId], shop })
    await client.bots.addProduct({ botId: bot.id, name: 'Pizza', price: 9.5 })
    await client.bots.activate({ botId: bot.id })
    const texts = ['Do you sell xylophones?', '2 pizza', 'order', 'yes']
    await converse(stage, { containerId, from: person, texts })
    await eventually(
      () => client.bots.orders({ botId: bot.id }),
      ({ total }) => total === 1,
    )
    const { page, complaints } = await stage.enter(organization, `assistants/${bot.id}/reviews`)
    await page.getByText('Do you sell xylophones?').waitFor()
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await submitDialog(page, { Answer: 'Not yet.' }, 'Answer')
    await page.getByText('Nothing here').waitFor()
    await page.getByRole('link', { name: 'Answers' }).click()
    await page.getByText('Not yet.').waitFor()

    await page.getByRole('link', { name: 'Orders' }).click()
    await page.locator('td button').click()
    await page.getByRole('button', { name: 'Move to: Confirmed' }).click()
    await page.getByRole('row', { name: /Confirmed/ }).waitFor()
    expect(complaints).toEqual([])
  })

  it('attaches a file to a reply, and opens the file of a contact', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization)
    await sim(server, 'POST inbound', { containerId, from: person, type: 'image', caption: 'My receipt' })
    const { page, complaints } = await stage.enter(organization, 'inbox')
    await page.locator('.chat', { hasText: 'My receipt' }).click()
    await page.getByRole('button', { name: /^Open / }).click()
    await page.locator('img.attached').waitFor()

    const file = { name: 'invoice.pdf', mimeType: 'application/pdf', buffer: samples.pdf }
    await page.locator('.compose input[type=file]').setInputFiles(file)
    await page.locator('.chosen-file', { hasText: 'invoice.pdf' }).waitFor()
    await page.getByRole('button', { name: 'Remove the file' }).click()
    await page.locator('.chosen-file').waitFor({ state: 'detached' })
    await page.locator('.compose input[type=file]').setInputFiles(file)
    await page.getByLabel('Reply', { exact: true }).fill('Your invoice')
    await page.keyboard.press('Enter')
    await page.locator('.bubble.mine', { hasText: 'Your invoice' }).waitFor()
    expect((await server.client(organization).messages.list({})).total).toBe(1)
    expect(complaints).toEqual([])
  })

  it('opts a list of numbers out of campaigns, and lets one of them in again', async () => {
    const organization = await makeTenant(stage)
    const { page, complaints } = await stage.enter(organization, 'contacts')
    await page.getByRole('button', { name: 'Opted out', exact: true }).click()
    await page.getByText('No contact has opted out.').waitFor()
    await page.getByRole('button', { name: 'Add a list' }).click()
    await submitDialog(page, { Number: '+12025550190\n+12025550191' }, 'Add a list')
    await page.getByText('2 opted out now, 0 had before.').waitFor()
    const rows = page.locator('.items .item')
    await rows.nth(1).waitFor()
    await rows.first().getByRole('button', { name: 'Let in again' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect((await server.client(organization).contacts.optOuts({})).total).toBe(1)
    expect(complaints).toEqual([])
  })

  it('removes the key of a number after a question, and programs with it are refused', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization, { label: 'Demo' })
    const client = server.client(organization)
    const { apiKey } = await client.numbers.generateKey({ containerId })
    const { page, complaints } = await stage.enter(organization, 'keys')
    const row = page.locator('.item', { hasText: 'Demo' })
    await row.getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove the key?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const send = () => server.client({ apiKey }).alert.send({ phone: person, message: 'hello' })
    expect((await send()).messageId).toBeTruthy()
    await row.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await row.getByText('no key').waitFor()
    await expect(send()).rejects.toMatchObject({ code: 'AUTH_ERROR' })
    expect(complaints).toEqual([])
  })
})
