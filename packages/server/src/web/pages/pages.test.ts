import { describe, expect, it } from 'vitest'
import { startTestServer } from '#testing/start-server.ts'

const { address } = await startTestServer({ worker: false })

describe('the pages for people', () => {
  it.each(['account', 'connect', 'approve'])('%s works alone: one script of its own, and no frame', async (name) => {
    const page = await fetch(`${address}/${name}`)
    const html = await page.text()
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect([...html.matchAll(/<script[^>]*>/g)].map(String)).toEqual([`<script src="${name}/${name}.js">`])
    expect(html).not.toMatch(/https?:\/\//)
    const script = await (await fetch(`${address}/${name}/${name}.js`)).text()
    expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|eval\(|document\.write|localStorage/)
    // A script with a mistake in its syntax throws here.
    expect(new Function(script)).toBeTypeOf('function')
  })
})
