import type { Context } from '../../context.ts'
import { secondsFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { type Body, controlSimulator, simulatedNumber } from './control.ts'

async function changeConnection(
  context: Context,
  verb: string,
  number: string | undefined,
  body: Body = {},
): Promise<void> {
  const containerId = await simulatedNumber(context, number)
  await context.print.record(
    await controlSimulator(context, 'POST', `/numbers/${containerId}/${verb}`, body),
    defineColumns('containerId as Number, status, phone'),
  )
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

const plainVerb = (name: string, summary: string) =>
  verb(
    `${name} [number]`,
    summary,
    (context: Context, number: string | undefined) => changeConnection(context, name, number),
    [`msgctl sim ${name} support`],
  )

/** The verbs of `sim` that change the connection of a number. */
export const connectionVerbs = verbs(
  verb('scan [number]', 'scan the QR of a number', scan, ['msgctl sim scan support --phone +12025550199'], (command) =>
    command.option('--phone <phone>', 'phone that scans'),
  ),
  verb('drop [number]', 'disconnect a number for some time', drop, ['msgctl sim drop --seconds 90s'], (command) =>
    command.option('--seconds <time>', 'duration of the outage', '60s'),
  ),
  plainVerb('unlink', 'unlink a number from its phone'),
  plainVerb('host-down', "take a number's host down"),
  plainVerb('host-up', "bring a number's host back up"),
)
