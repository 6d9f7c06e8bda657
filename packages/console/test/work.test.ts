import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../../server/src/testing/eventually.ts'
import { makeNumber } from '../../server/src/testing/make.ts'
import { settled } from '../../server/src/testing/settled.ts'
import { sim } from '../../server/src/testing/sim.ts'
import { storeMessages } from '../../server/src/testing/stored-messages.ts'
import { hasBrowser } from './browser.ts'
import { measureList, scrollToEnd } from './long-list.ts'
import { makeTenant, startStage } from './stage.ts'

/** A campaign of all rows that a file may have is run with CAMPAIGN_ROWS=10000. */
const rows = Number(process.env.CAMPAIGN_ROWS ?? 240)

function fileOf(count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const phone = `+1202${String(6000000 + index).slice(0, 7)}`
    return `${phone};${['Anna', 'Omar', 'Lina'][index % 3]};19:${String(index % 60).padStart(2, '0')}`
  })
  return ['mobile;name;time', ...lines, 'not a number;Nora;20:00'].join('\n')
}

async function chooseFile(page: Page, text: string): Promise<void> {
  await page.setInputFiles('input[type=file]', { name: 'tables.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
}

/** A list of 100,000 is scrolled and measured with LIST_ROWS=100000. */
const listed = Number(process.env.LIST_ROWS ?? 350)

describe.runIf(hasBrowser)('the work in the console', async () => {
  if (!hasBrowser) return
  const stage = await startStage()
  const { server } = stage
  let isBroken = true
  const receiver = createServer((_, response) => response.writeHead(isBroken ? 500 : 200).end()).listen(0, '127.0.0.1')
  afterAll(() => void receiver.close())

  it(`sends a campaign of ${rows} recipients from a file, and saves its results`, async () => {
    const organization = await makeTenant(stage)
    await makeNumber(server, organization)
    const { page, complaints } = await stage.enter(organization, 'campaigns/new')
    await chooseFile(page, fileOf(rows))
    await page.getByText('1 line has no usable number and is left out: line').waitFor()
    await page.getByLabel('Text', { exact: true }).fill('Hello {{name}}, at ')
    await page.getByRole('button', { name: '{{time}}' }).click()
    await page.locator('.bubble', { hasText: 'Hello Anna, at 19:00' }).waitFor()
    await page.getByRole('button', { name: `Start for ${rows.toLocaleString('en-GB')} recipients` }).click()
    await page.getByRole('heading', { name: 'tables' }).waitFor()
    await page.locator('.head').getByText('Completed').waitFor({ timeout: 500_000 })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Results as CSV' }).click(),
    ])
    const results = await readFile((await download.path()) ?? '', 'utf8')
    expect(results.trim().split('\r\n')).toHaveLength(rows + 1)
    expect(results).toContain(',Anna,')
    expect(complaints).toEqual([])
  }, 600_000)

  it('starts a draft, pauses it and resumes it', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization, { label: 'Held' })
    const client = server.client(organization)
    const recipients = Array.from({ length: 40 }, (_, index) => ({ phone: `+1202777${1000 + index}` }))
    const { campaign } = await client.campaigns.create({ name: 'Autumn', template: 'hello', recipients })
    const { page } = await stage.enter(organization, `campaigns/${campaign.id}`)
    // The host is down, so nothing leaves while the buttons are pressed.
    await page.getByRole('button', { name: 'Start now' }).waitFor()
    await sim(server, `POST numbers/${containerId}/host-down`, {})
    await page.getByRole('button', { name: 'Start now' }).click()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await sim(server, `POST numbers/${containerId}/host-up`, {})
    await page.locator('.head').getByText('Completed').waitFor({ timeout: 30_000 })
  })

  it('says on every page of a number that the network restricts it, and until when', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization, { label: 'Desk' })
    const client = server.client(organization)
    await client.alert.send({ phone: '12025550160', message: 'hello', containerId })
    await eventually(
      () => client.numbers.status({ containerId }),
      ({ restrictedUntil }) => restrictedUntil !== null,
    )
    const { page } = await stage.enter(organization, `numbers/${containerId}`)
    await page.getByRole('row', { name: /Desk.*Restricted/ }).waitFor()
    await page.locator('.facts').getByText('Restricted until').waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('Desk: Restricted').waitFor()
    await page.getByText(/^The network limits what it may send until \d\d:\d\d\. 1 message waits for it\.$/).waitFor()
    await page.getByRole('link', { name: /^Desk.*Restricted$/ }).waitFor()
  })

  it('finds a dropped event and posts it again in three clicks', async () => {
    const organization = await makeTenant(stage)
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    const { port } = receiver.address() as AddressInfo
    const { page } = await stage.enter(organization, 'webhook')
    await page.getByRole('textbox', { name: 'Events are posted to' }).fill(`http://127.0.0.1:${port}/events`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').first().waitFor()
    isBroken = true
    await client.alert.send({ phone: '12025550100', message: 'hello', containerId })
    await settled(server.db)
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await server.advance(7_200)
      await settled(server.db)
    }
    isBroken = false
    await page.getByRole('button', { name: 'Dropped', exact: true }).click()
    await page.getByRole('link', { name: 'message.delivered' }).first().click()
    await page.getByRole('button', { name: 'Post again' }).first().click()
    await page.getByText('The event is posted again.').first().waitFor()
    await settled(server.db)
    await page.getByRole('button', { name: 'Delivered', exact: true }).click()
    await page.getByRole('row', { name: /message.delivered.*again/ }).waitFor()
  })

  it(`scrolls through ${listed} messages, and stays quick`, async () => {
    const organization = await makeTenant(stage)
    await storeMessages(server.db, organization.organizationId, { count: listed, spacingMs: 100 })
    const { page } = await stage.enter(organization, 'messages')
    const total = listed.toLocaleString('en-GB')
    await page.getByText(`100 of ${total} loaded`).waitFor()
    await page.evaluate(scrollToEnd)
    await page.getByText(`${total} of ${total} loaded`).waitFor({ timeout: 1_200_000 })
    await page.evaluate('clearInterval(window.scrolling)')
    expect(await page.locator('.vrow').count()).toBeLessThan(60)
    if (listed < 100_000) return
    expect(await measureList(page)).toEqual({ built: true, nodes: true, heap: true, jump: true })
  }, 1_500_000)
})
