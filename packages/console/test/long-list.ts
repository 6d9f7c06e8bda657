/// <reference lib="dom" />
import type { Page } from 'playwright-core'

/** Scrolls to the end of the list again and again, so that it loads every page. Runs in the page. */
export function scrollToEnd(): void {
  const look = () => {
    const list = document.querySelector('.vlist')
    list?.scrollTo({ top: list.scrollHeight })
  }
  Object.assign(window, { scrolling: setInterval(look, 20) })
}

/** The marks of a long list, which docs/use/console.md names. */
const marks = { built: 150, nodes: 500, heap: 40, jump: 50 }
type Figures = { [K in keyof typeof marks]: number }

/** Returns the milliseconds until the list stands after its page was opened again. Runs in the page. */
function build(): Promise<number> {
  return new Promise((resolve) => {
    const start = performance.now()
    const observer = new MutationObserver(() => {
      if (!document.querySelector('.vrow')) return
      observer.disconnect()
      resolve(performance.now() - start)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    document.querySelector<HTMLElement>('nav a[href$="/messages"]')?.click()
  })
}

/** Returns the milliseconds until the last row stands after a jump to the end. Runs in the page. */
function jump(): Promise<number> {
  return new Promise((resolve) => {
    const list = document.querySelector('.vlist')
    if (!list) throw new Error('there is no list')
    const bottom = list.getBoundingClientRect().bottom - 1
    const start = performance.now()
    list.scrollTo({ top: list.scrollHeight })
    const look = () => {
      const edges = [...list.querySelectorAll('.vrow')].map((row) => row.getBoundingClientRect())
      const isThere = edges.some((row) => row.top <= bottom && row.bottom >= bottom)
      if (isThere) resolve(performance.now() - start)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

/** Measures a list that is loaded completely, prints the figures, and returns which of them keep their mark. */
export async function measureList(page: Page): Promise<{ [K in keyof typeof marks]: boolean }> {
  await page.locator('.vlist').evaluate((list) => list.scrollTo({ top: 0 }))
  await page.getByRole('link', { name: 'Queue' }).click()
  await page.getByRole('heading', { name: 'Queue' }).waitFor()
  const built = await page.evaluate(build)
  const jumped = await page.evaluate(jump)
  const nodes = await page.evaluate(() => document.querySelectorAll('.page *').length)
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const figures: Figures = { built, nodes, heap: usedSize / 1e6, jump: jumped }
  console.log(
    Object.entries(figures)
      .map(([name, value]) => `${name} ${Math.round(value)}`)
      .join(', '),
  )
  const keeps = (name: keyof typeof marks) => figures[name] <= marks[name]
  return { built: keeps('built'), nodes: keeps('nodes'), heap: keeps('heap'), jump: keeps('jump') }
}
