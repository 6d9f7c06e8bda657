import { describe, expect, it } from 'vitest'
import { hasBrowser } from './browser.ts'
import { startStage } from './stage.ts'

describe.runIf(hasBrowser)('the documentation in a browser', async () => {
  if (!hasBrowser) return
  const stage = await startStage()

  it('loads from this host alone, nothing is refused, and a request can be tried', async () => {
    const { page, complaints, hosts } = await stage.visit()
    const requested: string[] = []
    page.on('request', (request) => requested.push(new URL(request.url()).pathname))
    await page.goto(`${stage.base}/docs/api/openapi`)
    await page.getByRole('button', { name: 'curl', pressed: true }).waitFor()
    const assets = ['theme.js', 'style.css', 'page.js'].map((name) => `/docs/assets/${name}`)
    expect(requested.sort()).toEqual(['/docs/api/openapi', ...assets].sort())

    await page.getByText('Try it', { exact: true }).click()
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByText('200 OK').waitFor()
    await page.locator('.outcome', { hasText: '"title": "Messaging Service API"' }).waitFor()
    expect([...hosts]).toEqual([new URL(stage.base).host])
    expect(complaints).toEqual([])
  })

  it('can be read without scripts', async () => {
    const { page, complaints } = await stage.visit({ javaScriptEnabled: false })
    await page.goto(`${stage.base}/docs/api/alert`)
    await page.getByRole('heading', { name: 'Queue one text message' }).waitFor()
    // Every language of the samples is there, as no script chooses one.
    expect(await page.locator('#send .sample:visible').count()).toBe(3)
    expect(complaints).toEqual([])
  })
})
