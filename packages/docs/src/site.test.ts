import { openApiDocument } from '@msgctl/contract/openapi'
import { describe, expect, it } from 'vitest'
import { buildSite } from './site.ts'

/** The files by the addresses at which the service has them. */
const texts = new Map([...buildSite(openApiDocument())].map(([file, text]) => [file.replace(/\.html$/, ''), text]))
const pages = [...texts.keys()].filter((path) => !/\.\w+$/.test(path))
const addresses = new Set(['api/v1/openapi.json', ...texts.keys()])

/** Returns the values of an attribute. */
function valuesOf(html: string, attribute: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => value)
}

describe('the pages', () => {
  it('are an overview, the guides, a page for each resource, the events and the errors', () => {
    expect(pages.length).toBeGreaterThan(25)
    expect(pages).toEqual(expect.arrayContaining(['docs', 'docs/guides/errors', 'docs/api/campaigns', 'docs/events']))
  })

  it.each(pages)('load and link to what exists, by relative addresses, with anchors that exist: %s', (path) => {
    const html = texts.get(path) ?? ''
    const base = new URL(`https://host.example/${path}`)
    const targets = [...valuesOf(html, 'href'), ...valuesOf(html, 'src')].filter((one) => one !== 'data:,')
    expect(targets.filter((one) => /^(?:[a-z]+:|\/)/.test(one))).toEqual([])
    const dead = targets.filter((one) => {
      const { pathname, hash } = new URL(one.replaceAll('&amp;', '&'), base)
      const target = pathname.slice(1)
      if (!addresses.has(target)) return true
      return hash !== '' && !(texts.get(target) ?? '').includes(` id="${decodeURIComponent(hash.slice(1))}"`)
    })
    expect(dead).toEqual([])
  })

  it.each(pages)('use each id once, and hold no script and no style of their own: %s', (path) => {
    const html = texts.get(path) ?? ''
    const ids = valuesOf(html, 'id')
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(html).not.toMatch(/<style|\sstyle="|\son[a-z]+="|<script>/)
  })

  it('show every route with its samples, every event by its name and every code', () => {
    expect(texts.get('docs/api/alert')).toContain('id="send"')
    expect(texts.get('docs/api/alert')).toContain('data-language="msgctl"')
    expect(texts.get('docs/events')).toContain('id="message.inbound"')
    expect(texts.get('docs/errors')).toContain('id="NUMBER_NOT_ON_NETWORK"')
    const index = JSON.parse(texts.get('docs/search.json') ?? '[]') as string[][]
    for (const title of [
      'NUMBER_NOT_ON_NETWORK',
      'message.inbound',
      'Create a campaign',
      'Reminder',
      'Idempotency keys',
    ]) {
      expect(index.map(([name]) => name)).toContain(title)
    }
  })

  it('escape what stands in the contract', () => {
    expect(texts.get('docs/events')).toContain('t=&lt;unix seconds&gt;')
  })
})
