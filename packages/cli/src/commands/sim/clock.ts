import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { secondsFrom } from '../../input/duration.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import { controlSimulator } from './control.ts'

const clockColumns: readonly Column[] = [{ field: 'now', title: 'Now' }]

async function clock(context: Context): Promise<void> {
  await context.print.record(await controlSimulator(context, 'GET', '/clock'), clockColumns)
}

async function advance(context: Context, time: string): Promise<void> {
  const seconds = secondsFrom(time, 'The time')
  await context.print.record(await controlSimulator(context, 'POST', '/clock/advance', { seconds }), clockColumns)
}

/** Adds `sim clock` and `sim advance`. */
export function registerClock(sim: Command, run: Run): void {
  addVerb(sim, 'clock', 'show the time of the service', 'msgctl sim clock').action(run(clock))
  addVerb(sim, 'advance <time>', 'move the time of the service forward', 'msgctl sim advance 15m').action(run(advance))
}
