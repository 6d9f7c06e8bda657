import type { Context } from '../../context.ts'
import { shownSeconds } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { openPage, type WebOption, webOption } from '../open/open-page.ts'
import { messageColumns } from './columns.ts'
import { resolveMessageId } from './reference.ts'

/** The columns of a message that waits. */
const queueColumns = defineColumns(
  'queue.numberStatus as Number is, queue.isHeld as Held, queue.ahead as Ahead of it',
  'queue.nextAttemptAt as Next attempt',
)

const stepColumns = defineColumns('at as When, pause as After, step, detail')

const heldColumns = defineColumns('held.until as Held until, held.message as Held because')

/** Notes what keeps a message from being sent, and what to do. */
function noteObstacle({ note }: Context, { isHeld, numberStatus }: { isHeld: boolean; numberStatus: string }): void {
  note(
    isHeld
      ? 'It waits because the queue of its number is held. Release it with: msgctl numbers release'
      : `It waits because its number is ${numberStatus}. msgctl numbers status shows what to do.`,
  )
}

/** Returns the steps with the time since the one before, from a second on. */
function withPauses<T extends { readonly at: string }>(steps: readonly T[]) {
  return steps.map((step, index) => {
    const before = steps[index - 1]
    const seconds = before === undefined ? 0 : (Date.parse(step.at) - Date.parse(before.at)) / 1000
    return { ...step, pause: seconds < 1 ? '' : shownSeconds(seconds) }
  })
}

async function show(context: Context, reference: string, { web }: WebOption): Promise<void> {
  const client = await context.client()
  const id = await resolveMessageId(client, reference, context.host.signal)
  if (web) return openPage(context, `messages/${id}`)
  const { message, timeline, queue } = await client.messages.get({ id })
  const { print } = context
  if (print.format !== 'table') return print.record({ ...message, timeline, ...(queue && { queue }) }, messageColumns)
  const extra = [...(message.held ? heldColumns : []), ...(queue ? queueColumns : [])]
  await print.record({ ...message, queue }, [...messageColumns, ...extra])
  if (context.options.fields !== undefined) return
  if (queue && (queue.isHeld || queue.numberStatus !== 'WORKING')) noteObstacle(context, queue)
  await print.text('\n')
  await print.list(withPauses(timeline), stepColumns)
}

/** `messages show`. */
export const showVerb = verb(
  'show <id>',
  'show one message and its history',
  show,
  [
    'msgctl messages show 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl messages show 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --json --fields status,timeline',
    'msgctl messages show 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --web',
  ],
  (command) => command.option(...webOption),
)
