import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { addVerb, type Run } from '../../program.ts'
import { controlSimulator, simulatedNumber } from './control.ts'

const inboundTypes = ['chat', 'location', 'voice', 'image', 'video', 'file', 'sticker', 'buttons', 'list'] as const

interface InboundOptions {
  readonly number?: string
  readonly type?: string
  readonly caption?: string
  readonly latitude?: string
  readonly longitude?: string
  readonly button?: string
  readonly row?: string
  readonly group?: string
}

function degrees(text: string | undefined, what: string): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() !== '' && Math.abs(value) <= 180) return value
  throw usageFailure(`${what} must be degrees from -180 to 180.`)
}

async function inbound(
  context: Context,
  from: string,
  text: string | undefined,
  options: InboundOptions,
): Promise<void> {
  const { type, caption, latitude, longitude, button, row, group } = options
  const body = {
    containerId: await simulatedNumber(context, options.number),
    from,
    text,
    type,
    caption,
    latitude: degrees(latitude, '--latitude'),
    longitude: degrees(longitude, '--longitude'),
    selectedButtonId: button,
    selectedRowId: row,
    groupId: group,
  }
  await context.print.record(await controlSimulator(context, 'POST', '/inbound', body), [
    { field: 'networkId', title: 'Network id' },
  ])
}

/** Adds `sim inbound`. */
export function registerInbound(sim: Command, run: Run): void {
  addVerb(
    sim,
    'inbound <phone> [text]',
    'let a person write to a number',
    'msgctl sim inbound +12025550111 "Are you open today?"',
    'msgctl sim inbound +12025550111 --type location --latitude 38.89 --longitude -77.03',
  )
    .option('--number <number>', 'the number that is written to; the default number without it')
    .addOption(new Option('--type <type>', 'what kind of message').choices(inboundTypes))
    .option('--caption <text>', 'the caption of a photo')
    .option('--latitude <degrees>', 'degrees north of a location')
    .option('--longitude <degrees>', 'degrees east of a location')
    .option('--button <id>', 'the button that was pressed')
    .option('--row <id>', 'the list row that was chosen')
    .option('--group <id>', 'the group it was written in')
    .action(run(inbound))
}
