import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { type Body, controlSimulator, simulatedNumber } from './control.ts'

const transcriptColumns = defineColumns(
  'at, to',
  { field: 'content', title: 'Content', long: true, show: contentText },
  'typed, networkId',
)

/** Returns the text of a message, or its JSON. */
function contentText(content: unknown): string {
  const { text } = (content ?? {}) as { text?: unknown }
  return typeof content === 'string' ? content : typeof text === 'string' ? text : JSON.stringify(content)
}

interface TranscriptOptions {
  readonly number?: string
  readonly phone?: string
}

async function transcript(context: Context, { number, phone }: TranscriptOptions): Promise<void> {
  const containerId = number === undefined ? undefined : await simulatedNumber(context, number)
  const query = { containerId, phone }
  await context.print.list(transcriptRows(context, query), transcriptColumns)
}

/** The response of GET /sim/transcript. */
interface TranscriptPage {
  readonly messages: readonly unknown[]
  readonly nextAfter: number | null
}

async function* transcriptRows(context: Context, query: Body): AsyncGenerator<unknown, void, undefined> {
  let after: number | null = 0
  while (after !== null) {
    const page = (await controlSimulator(context, 'GET', '/transcript', { ...query, after })) as TranscriptPage
    yield* page.messages
    after = page.nextAfter
  }
}

/** `sim transcript`. */
export const transcriptVerb = verb(
  'transcript',
  'list the messages that reached phones',
  transcript,
  ['msgctl sim transcript --phone +12025550100', 'msgctl sim transcript --number support --json'],
  (command) =>
    command
      .option('--number <number>', 'show only messages from this number')
      .option('--phone <phone>', 'show only messages to this phone'),
)
