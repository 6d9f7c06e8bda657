import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { WebhookEvent as ContractEvent, LoggedEvent as ContractLogged } from '@msgctl/contract'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { LoggedEvent, WebhookEvent } from './index.ts'
import { eventFixturesText, eventsText } from './test/events-text.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Returns a text as the formatter of this repository writes it. */
function formatted(text: string, file: string): string {
  const { stdout, stderr, status } = spawnSync(
    `${root}node_modules/.bin/biome`,
    ['format', `--stdin-file-path=${file}`],
    {
      input: text,
      encoding: 'utf8',
      cwd: root,
    },
  )
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** What is published needs neither zod nor the contract; `npm run generate` writes it. */
describe('the types and examples of events', () => {
  it.each([
    ['events.ts', eventsText()],
    ['event-fixtures.ts', eventFixturesText()],
  ])('are those of the contract: %s', async (file, text) => {
    const written = formatted(text, `packages/webhook-verifier/src/generated/${file}`)
    await expect(written).toMatchFileSnapshot(`generated/${file}`)
  })

  it('take and give exactly the events of the contract', () => {
    expectTypeOf<WebhookEvent>().toExtend<ContractEvent>()
    expectTypeOf<ContractEvent>().toExtend<WebhookEvent>()
    expectTypeOf<LoggedEvent>().toExtend<ContractLogged>()
    expectTypeOf<ContractLogged>().toExtend<LoggedEvent>()
    expectTypeOf<WebhookEvent<'message.read'>['data']['status']>().toEqualTypeOf<'read'>()
  })
})
