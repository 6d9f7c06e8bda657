import type { Context } from '../../context.ts'
import { secondsFrom } from '../../input/duration.ts'
import type { Column } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { controlSimulator } from './control.ts'

const clockColumns: readonly Column[] = [{ field: 'now', title: 'Now' }]

async function clock(context: Context): Promise<void> {
  await context.print.record(await controlSimulator(context, 'GET', '/clock'), clockColumns)
}

async function advance(context: Context, time: string): Promise<void> {
  const seconds = secondsFrom(time, 'The time')
  await context.print.record(await controlSimulator(context, 'POST', '/clock/advance', { seconds }), clockColumns)
}

/** `sim clock` and `sim advance`. */
export const clockVerbs = verbs(
  verb('clock', 'show the time of the service', clock, ['msgctl sim clock']),
  verb('advance <time>', 'move the time of the service forward', advance, ['msgctl sim advance 15m']),
)
