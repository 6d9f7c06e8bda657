import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violationsOn } from './axe.ts'
import { hasBrowser } from './browser.ts'
import { findCovered, findUnfocusable, findUnmarked, findWide } from './in-page.ts'
import { seed } from './seed.ts'
import { startStage } from './stage.ts'

/** `full` sees every page in every combination; `pictures` saves every page as an image, for people to see. */
const mode = process.env.LOOKS

const pictureFolder = path.join(import.meta.dirname, '../dist/pictures')

/** The pages whose pictures stand in the documentation. */
const documented = ['home', 'campaign', 'chat']
const imageFolder = path.join(import.meta.dirname, '../../../docs/images')

const widths = [1360, 768, 390] as const
const schemes = ['light', 'dark'] as const
const languages = ['en', 'ar'] as const

/** In short, every page is seen in one of these combinations, one after the other. */
const short = [
  [1360, 'light', 'en'],
  [390, 'dark', 'ar'],
  [768, 'light', 'ar'],
  [390, 'light', 'en'],
] as const
const combinations = widths.flatMap((width) =>
  schemes.flatMap((scheme) => languages.map((language) => [width, scheme, language] as const)),
)

const pictured = combinations.filter(([width]) => width !== 768)
const chosen = mode === 'full' ? combinations : mode === 'pictures' ? pictured : short

/** Saves a page as an image. */
async function savePicture(page: Page, name: string, variant: string): Promise<void> {
  mkdirSync(pictureFolder, { recursive: true })
  await page.screenshot({ path: path.join(pictureFolder, `${name}-${variant}.png`) })
  if (variant === '1360-light-en' && documented.includes(name))
    await page.screenshot({ path: path.join(imageFolder, `console-${name}.png`) })
}

/** Waits until an element is visible. Throws an error that says what the page shows instead. */
async function waitFor(page: Page, selector: string, { name, complaints }: { name: string; complaints: string[] }) {
  try {
    await page.locator(selector).first().waitFor()
  } catch (cause) {
    const shown = await page.locator('body').textContent()
    throw new Error(`${name} shows no ${selector}, but: ${shown}\n${complaints.join('\n')}`, { cause })
  }
}

/** Returns everything that is wrong with how a page looks. */
async function problemsOn(page: Page): Promise<string[]> {
  return [
    ...(await violationsOn(page)),
    ...(await page.evaluate(findWide)),
    ...(await page.evaluate(findCovered)),
    ...(await page.evaluate(findUnfocusable)),
    ...(await page.evaluate(findUnmarked)),
  ]
}

describe.runIf(hasBrowser)('the looks of the console', async () => {
  if (!hasBrowser) return
  const stage = await startStage()
  const { organization, newOrganization, pages } = await seed(stage)

  it.each(chosen)(
    'are sound at %i px, %s, in %s',
    async (width, scheme, language) => {
      const options = {
        viewport: { width, height: width < 700 ? 844 : 860 },
        colorScheme: scheme,
        reducedMotion: 'reduce',
      } as const
      const [owner, newcomer, stranger] = [
        await stage.enter(organization, '', options),
        await stage.enter(newOrganization, '', options),
        await stage.visit(options),
      ]
      await stranger.page.goto(stage.address())
      const visits = { owner, newcomer, stranger }
      for (const { page } of Object.values(visits))
        await page.evaluate((value) => localStorage.setItem('msgctl.language', value), language)
      const found: string[] = []
      const position = short.findIndex((each) => each.join() === [width, scheme, language].join())
      const seen = mode ? pages : pages.filter((_, index) => index % short.length === position)
      for (const [name, address, ready, who = 'owner'] of seen) {
        const { page, complaints } = visits[who]
        await page.goto(stage.address(address))
        const wanted = who === 'stranger' ? [ready] : [ready, '.live[data-state=live]']
        for (const selector of wanted) await waitFor(page, selector, { name, complaints })
        // First, because the checks move the focus.
        if (mode === 'pictures') await savePicture(page, name, `${width}-${scheme}-${language}`)
        found.push(...(await problemsOn(page)).map((problem) => `${name}: ${problem}`))
      }
      expect(found).toEqual([])
      for (const { page, complaints, hosts } of Object.values(visits)) {
        expect(complaints).toEqual([])
        expect([...hosts]).toEqual([new URL(stage.server.address).host])
        await page.context().close()
      }
    },
    300_000,
  )
})
