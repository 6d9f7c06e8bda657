import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const source = readFileSync(file, 'utf8')

/** Returns what axe-core finds on a page: each rule with the elements that violate it. */
export async function violationsOn(page: Page): Promise<string[]> {
  return page.evaluate(
    `${source};axe.run({resultTypes:['violations']}).then(({violations})=>violations.map(({id,nodes})=>id+': ` +
      `'+nodes.map(({target})=>target.join(' ')).join(', ')))`,
  )
}
