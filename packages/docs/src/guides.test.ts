import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { guides } from './guides.ts'

const folder = new URL('../../../docs/use/guides/', import.meta.url)
const files = readdirSync(folder).filter((name) => name !== 'README.md')
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')

describe('the guides', () => {
  it('are all in the menu of /docs, and docs/use/guides/README.md lists them', () => {
    const slugs = guides.map(({ slug }) => slug).filter((slug) => slug !== 'webhook-signature')
    expect(files.sort()).toEqual(slugs.map((slug) => `${slug}.md`).sort())
    const list = read('README.md')
    for (const { slug, title } of guides)
      expect(list, slug).toMatch(new RegExp(`\\[${title}\\]\\([./]*${slug}\\.md\\)`))
  })

  it.each(files)('have the title of the menu: %s', (file) => {
    expect(read(file).split('\n')[0]).toBe(`# ${guides.find(({ slug }) => `${slug}.md` === file)?.title}`)
  })
})
