import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { verb } from '../../program.ts'
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

/** `sim inbound`. */
export const inboundVerb = verb(
  'inbound <phone> [text]',
  'simulate an inbound message',
  inbound,
  [
    'msgctl sim inbound +12025550111 "Are you open today?"',
    'msgctl sim inbound +12025550111 --type location --latitude 38.89 --longitude -77.03',
  ],
  (command) =>
    command
      .option('--number <number>', 'receiving number (default: the default number)')
      .addOption(new Option('--type <type>', 'message type').choices(inboundTypes))
      .option('--caption <text>', 'caption of a photo')
      .option('--latitude <degrees>', 'latitude of a location, in degrees north')
      .option('--longitude <degrees>', 'longitude of a location, in degrees east')
      .option('--button <id>', 'id of the pressed button')
      .option('--row <id>', 'id of the selected list row')
      .option('--group <id>', 'id of the group'),
)
