import type { Context } from '../../context.ts'
import { secondsFrom } from '../../input/duration.ts'
import type { Column } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { movedColumns } from './columns.ts'
import { againOption, type LinkOptions, readyToLink } from './link.ts'
import { waitUntilLinked } from './wait-until-linked.ts'

/** Phones show the code in two groups of four. */
const codeColumn: Column = {
  field: 'code',
  title: 'Code',
  show: (code) => String(code).replace(/^(.{4})(.{4})$/, '$1-$2'),
}

interface PairOptions extends LinkOptions {
  readonly number?: string
  readonly wait?: true
}

async function pair(
  context: Context,
  phone: string,
  { number, wait, timeout, again = false }: PairOptions,
): Promise<void> {
  const timeoutMs = secondsFrom(timeout, '--timeout') * 1000
  const client = await context.client()
  const containerId = await readyToLink(context, client, number, again)
  const response = await client.numbers.pair({ phone, containerId })
  await context.print.record(response, [codeColumn, ...movedColumns])
  if (wait) await waitUntilLinked(context, client, containerId, { timeoutMs, drawn: false })
}

/** `numbers pair`. */
export const pairVerb = verb(
  'pair <phone>',
  'get a pairing code to enter on the phone instead of a QR',
  pair,
  ['msgctl numbers pair +12025550199 --number support --wait'],
  (command) =>
    command
      .option('--number <number>', 'number to link: id, label or phone')
      .option('--wait', 'wait until the number is linked')
      .option('--timeout <time>', 'maximum time to wait', '5m')
      .option(...againOption),
)
