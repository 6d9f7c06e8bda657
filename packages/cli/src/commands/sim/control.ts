import { variable } from '../../config/target.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { pickNumber } from '../numbers/reference.ts'

/** The input of a control: the query of a read, or the body of a change. */
export type Body = Readonly<Record<string, unknown>>

/** Returns the header with the simulator token, from MSG_SIM_TOKEN or the project file of the service. */
function tokenFor({ host, target }: Context): Record<string, string> {
  const token = variable(host.env, 'MSG_SIM_TOKEN') ?? target.credentials.simToken
  return token === undefined ? {} : { 'x-sim-token': token }
}

function withoutToken(message: string): CliError {
  return new CliError('The simulator token is not set.', {
    code: 'ADMIN_ONLY',
    exitCode: exitCodes.auth,
    advice:
      'Run this in the folder where npm start wrote .msgctl.json, or set MSG_SIM_TOKEN to the content of ' +
      '.data/sim-token.',
    details: { message },
  })
}

/** Calls the simulator controls: beside the API at the root of its address, with a token instead of a key. */
export async function controlSimulator(
  context: Context,
  method: string,
  path: string,
  body: Body = {},
): Promise<unknown> {
  const client = await context.besideApi()
  try {
    const options = { signal: context.host.signal, headers: tokenFor(context) }
    return (await client.request(method, `/sim${path}`, body, options)).data
  } catch (error) {
    const { code, message, status } = error as { code: string; message: string; status?: unknown }
    if (code === 'ADMIN_ONLY' && tokenFor(context)['x-sim-token'] === undefined) throw withoutToken(message)
    if (status !== 404) throw error
    if (code !== 'ROUTE_NOT_FOUND' && code !== 'UNKNOWN') throw error
    throw new CliError('The simulator is not enabled on this server.', {
      code: 'SIM_NOT_FOUND',
      exitCode: exitCodes.notFound,
      advice: 'Start the server with SIM_CONTROL=1, as npm start does, and call it from the same machine.',
      details: { message },
    })
  }
}

/** Resolves `reference`, or without one the default number, which the controls do not select themselves. */
export async function simulatedNumber(context: Context, reference: string | undefined): Promise<string> {
  const client = await context.client()
  const { sessions } = await client.numbers.list()
  if (reference !== undefined) return pickNumber(sessions, reference).id
  const number = sessions.find(({ isDefault }) => isDefault) ?? sessions[0]
  if (number) return number.id
  throw usageFailure('There are no numbers.', 'Add one with: msgctl numbers add LABEL')
}
