import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../../errors/exit-codes.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { controlSimulator } from './control.ts'

/** The pages of the simulated payment provider that can be paid on. */
const pages: Readonly<Record<string, string>> = { checkout: 'checkouts', invoice: 'invoices' }

const usualCard = '4242424242424242'

async function pay(
  context: Context,
  address: string,
  card: string | undefined,
  options: { readonly country?: string; readonly authenticate: boolean },
): Promise<void> {
  const [id = '', kind = ''] = address.split('/').reverse()
  const resource = pages[kind]
  if (resource === undefined || !/^\w{10,80}$/.test(id)) {
    throw usageFailure('The address must be that of a checkout or an invoice, as `msgctl billing show` prints it.')
  }
  const { country, authenticate } = options
  const body = { card: card ?? usualCard, authenticate, ...(country === undefined ? {} : { country }) }
  const paid = await controlSimulator(context, 'POST', `/payments/${resource}/${id}/pay`, body).catch(notSimulated)
  await context.print.record(paid, defineColumns('outcome as Outcome, declineCode as Reason'))
}

/** A server that takes no simulated payments has no such routes. */
function notSimulated(error: unknown): never {
  if (!(error instanceof CliError) || error.code !== 'SIM_NOT_FOUND') throw error
  throw new CliError('Payments are not simulated on this server.', {
    code: 'SIM_NOT_FOUND',
    exitCode: exitCodes.notFound,
    advice: 'Start the server with PAYMENTS=simulated, and call it from the same machine.',
  })
}

/** `sim pay`. */
export const payVerb = verb(
  'pay <address> [card]',
  'pay on a page of the simulated payment provider',
  pay,
  [
    'msgctl sim pay http://127.0.0.1:3000/simulated-payments/checkout/cs_test_a1b2c3d4e5',
    'msgctl sim pay http://127.0.0.1:3000/simulated-payments/invoice/in_a1b2c3d4e5 4000000000000002',
  ],
  (command) =>
    command
      .option('--country <country>', 'country of the billing address, like DE')
      .option('--no-authenticate', 'fail when the card wants a confirmation'),
)
