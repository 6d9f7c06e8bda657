import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { findCovered, findUnfocusable, findUnmarked, findWide } from './in-page.ts'
import { seed } from './seed.ts'
import { startStage } from './stage.ts'

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const axe = readFileSync(axeFile, 'utf8')

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

const pictured = combinations.filter(([width, , language]) => width !== 768 && language === 'en')
const chosen = mode === 'full' ? combinations : mode === 'pictures' ? pictured : short

/** Saves a page as an image. */
async function savePicture(page: Page, name: string, variant: string): Promise<void> {
  mkdirSync(pictureFolder, { recursive: true })
  await page.screenshot({ path: path.join(pictureFolder, `${name}-${variant}.png`) })
  if (variant === '1360-light-en' && documented.includes(name))
    await page.screenshot({ path: path.join(imageFolder, `console-${name}.png`) })
}

async function violationsOn(page: Page): Promise<string[]> {
  return page.evaluate(
    `${axe};axe.run({resultTypes:['violations']}).then(({violations})=>violations.map(({id,nodes})=>id+': '+nodes.map(({target})=>target.join(' ')).join(', ')))`,
  )
}

describe.runIf(hasBrowser)('the looks of the console', async () => {
  if (!hasBrowser) return
  const stage = await startStage()
  const { organization, pages } = await seed(stage)

  it.each(chosen)(
    'are sound at %i px, %s, in %s',
    async (width, scheme, language) => {
      const { page, complaints, hosts } = await stage.enter(organization, '', {
        viewport: { width, height: width < 700 ? 844 : 860 },
        colorScheme: scheme,
        reducedMotion: 'reduce',
      })
      await page.evaluate((value) => localStorage.setItem('msgctl.language', value), language)
      const found: string[] = []
      const position = short.findIndex((each) => each.join() === [width, scheme, language].join())
      const seen = mode ? pages : pages.filter((_, index) => index % short.length === position)
      for (const [name, address, ready] of seen) {
        await page.goto(stage.address(address))
        await page.locator(ready).first().waitFor()
        await page.locator('.live[data-state=live]').waitFor()
        const problems = [
          ...(await violationsOn(page)),
          ...(await page.evaluate(findWide)),
          ...(await page.evaluate(findCovered)),
          ...(await page.evaluate(findUnfocusable)),
          ...(await page.evaluate(findUnmarked)),
        ]
        found.push(...problems.map((problem) => `${name}: ${problem}`))
        if (mode === 'pictures') await savePicture(page, name, `${width}-${scheme}-${language}`)
      }
      expect(found).toEqual([])
      expect(complaints).toEqual([])
      expect([...hosts]).toEqual([new URL(stage.server.address).host])
    },
    300_000,
  )
})
