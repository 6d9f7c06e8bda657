import { usageFailure } from '../../errors/exit-codes.ts'
import { type Options, send, sendVerb } from './direct-call.ts'

interface LocationOptions extends Options {
  readonly name?: string
  readonly address?: string
}

function degrees(text: string, what: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw usageFailure(`The ${what} must be a number of degrees.`)
  return value
}

/** `send location`. */
export const locationVerb = sendVerb(
  'location <phone> <latitude> <longitude>',
  'send a location, in degrees north and east',
  (context, phone: string, north: string, east: string, options: LocationOptions) => {
    const { name, address } = options
    const input = {
      latitude: degrees(north, 'latitude'),
      longitude: degrees(east, 'longitude'),
      ...(name !== undefined && { name }),
      ...(address !== undefined && { address }),
    }
    return send(context, phone, options, (client, envelope, settings) =>
      client.alert.sendLocation.withResponse({ ...input, ...envelope }, settings),
    )
  },
  ['msgctl send location +12025550100 38.89 -77.09 --name "Our office"'],
  (command) =>
    command.option('--name <name>', 'name of the location').option('--address <address>', 'address of the location'),
)
