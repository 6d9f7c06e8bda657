import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { secondsFrom } from '../../input/duration.ts'
import { addVerb, type Run } from '../../program.ts'
import { type Body, controlSimulator, simulatedNumber } from './control.ts'

async function changeConnection(
  context: Context,
  verb: string,
  number: string | undefined,
  body: Body = {},
): Promise<void> {
  const containerId = await simulatedNumber(context, number)
  await context.print.record(await controlSimulator(context, 'POST', `/numbers/${containerId}/${verb}`, body), [
    { field: 'containerId', title: 'Number' },
    { field: 'status', title: 'Status' },
    { field: 'phone', title: 'Phone' },
  ])
}

async function scan(
  context: Context,
  number: string | undefined,
  { phone }: { readonly phone?: string },
): Promise<void> {
  await changeConnection(context, 'scan', number, phone === undefined ? {} : { phone })
}

async function drop(
  context: Context,
  number: string | undefined,
  { seconds }: { readonly seconds: string },
): Promise<void> {
  await changeConnection(context, 'drop', number, { seconds: secondsFrom(seconds, '--seconds') })
}

/** Adds the verbs of `sim` that change the connection of a number. */
export function registerConnection(sim: Command, run: Run): void {
  addVerb(sim, 'scan [number]', 'scan the QR of a number', 'msgctl sim scan support --phone +12025550199')
    .option('--phone <phone>', 'phone that scans')
    .action(run(scan))
  addVerb(sim, 'drop [number]', 'disconnect a number for some time', 'msgctl sim drop --seconds 90s')
    .option('--seconds <time>', 'duration of the outage', '60s')
    .action(run(drop))
  const plain = {
    unlink: 'unlink a number from its phone',
    'host-down': "take a number's host down",
    'host-up': "bring a number's host back up",
  }
  for (const [verb, summary] of Object.entries(plain)) {
    addVerb(sim, `${verb} [number]`, summary, `msgctl sim ${verb} support`).action(
      run((context: Context, number: string | undefined) => changeConnection(context, verb, number)),
    )
  }
}
