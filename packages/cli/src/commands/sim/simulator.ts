import type { Context } from '../../context.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { CliFailure } from '../../errors/failure.ts'
import { pickNumber } from '../numbers/number-reference.ts'

/** What a control is told: the query of a read, the body of a change. */
export type Body = Readonly<Record<string, unknown>>

/** The controls stand beside the API, at the root of the same address, and take no key. */
export async function control(context: Context, method: string, path: string, body: Body = {}): Promise<unknown> {
  const { origin } = new URL(context.target.baseUrl)
  const client = await context.anonymous(origin)
  try {
    return (await client.request(method, `/sim${path}`, body, { signal: context.world.signal })).data
  } catch (error) {
    if ((error as { status?: unknown }).status !== 404) throw error
    const { code, message } = error as { code: string; message: string }
    if (code !== 'ROUTE_NOT_FOUND' && code !== 'UNKNOWN') throw error
    throw new CliFailure('This server has no simulator to move.', {
      code: 'SIM_NOT_FOUND',
      exitCode: exitCodes.notFound,
      advice: 'Start it with SIM_CONTROL=1, as npm start does, and call it from the same machine.',
      details: { message },
    })
  }
}

/** The number that `reference` means; the default number without one. The controls, unlike the API, must be told. */
export async function simulatedNumber(context: Context, reference: string | undefined): Promise<string> {
  const client = await context.client()
  const { sessions } = await client.numbers.list()
  if (reference !== undefined) return pickNumber(sessions, reference).id
  const number = sessions.find(({ isDefault }) => isDefault) ?? sessions[0]
  if (number) return number.id
  throw usageFailure('There is no number yet.', 'msgctl numbers add LABEL adds one.')
}
