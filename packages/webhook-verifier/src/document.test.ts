import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { refusals } from './error.ts'
import { published } from './test/signed-delivery.ts'

const document = readFileSync(new URL('../../../docs/use/webhook-signature.md', import.meta.url), 'utf8')

describe('docs/use/webhook-signature.md', () => {
  const { secret, t, body, key, wrongKeys } = published.workedExample

  it('shows the worked example of vectors.json', () => {
    for (const part of [secret, `${t}`, `v1 | \`${key.v1}\``, `\n${body}\n`]) expect(document).toContain(part)
  })

  it('shows the result of each wrong reading of the secret', () => {
    for (const wrong of wrongKeys) expect(document).toContain(wrong.v1)
  })

  it('explains every reason, and no other', () => {
    const table = document.slice(document.indexOf('| Reason |'), document.indexOf('## Changing the secret'))
    const firstCells = table.split('\n').map((row) => row.split('|')[1] ?? '')
    const explained = firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, reason]) => reason))
    expect(explained.sort()).toEqual(Object.keys(refusals).sort())
  })
})
