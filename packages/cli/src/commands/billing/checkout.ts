import type { AdminClient } from '@msgctl/client/admin'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { isTransient } from '../../http/polling.ts'
import { secondsFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { openAddress } from '../open/open-page.ts'
import { billingColumns } from './columns.ts'
import { planOptions } from './plan.ts'
import { extraNumbersFrom, productsFrom } from './preview.ts'

interface CheckoutOptions {
  readonly extraNumbers?: string
  readonly period?: 'month' | 'year'
  readonly open?: true
  readonly wait?: true
  readonly timeout: string
}

type Billing = Awaited<ReturnType<AdminClient['billing']['get']>>['billing']

const columns = defineColumns('url as Pay at, expiresAt as Works until')
const pollMs = 2_000
/** The report of the provider may be lost: it is read by every so many polls. */
const refreshEvery = 8

async function readState(context: Context, isRefreshed: boolean): Promise<Billing | undefined> {
  try {
    const read = (client: AdminClient) => (isRefreshed ? client.billing.refresh() : client.billing.get())
    return (await context.asPerson(read)).billing
  } catch (error) {
    // The person pays on another page; the service may restart.
    if (isTransient(error) || (error as { code?: unknown }).code === 'RATE_LIMIT') return undefined
    throw error
  }
}

/** Waits until the checkout is paid. Throws a CliError when it is over without a payment, and after the timeout. */
async function waitUntilPaid(context: Context, checkoutId: string, timeoutMs: number): Promise<Billing> {
  const { host } = context
  const end = host.now() + timeoutMs
  for (let poll = 1; ; poll++) {
    await host.wait(pollMs, host.signal)
    host.signal.throwIfAborted()
    const billing = await readState(context, poll % refreshEvery === 0)
    if (billing?.status === 'active') return billing
    if (billing && billing.status !== 'incomplete' && billing.checkout?.id !== checkoutId) {
      const facts = { code: 'WAIT_FAILED', exitCode: exitCodes.waitFailed, details: { status: billing.status } }
      throw new CliError('The checkout is over without a payment.', { ...facts, advice: 'Open another one.' })
    }
    if (host.now() < end) continue
    throw new CliError('Timed out: the checkout is not paid.', {
      code: 'WAIT_TIMED_OUT',
      exitCode: exitCodes.waitTimedOut,
      advice: 'It still works. See msgctl billing show.',
    })
  }
}

async function checkout(context: Context, words: readonly string[], options: CheckoutOptions): Promise<void> {
  const timeoutMs = secondsFrom(options.timeout, '--timeout') * 1000
  const wanted = {
    products: productsFrom(words),
    ...(options.extraNumbers !== undefined && {
      extraNumbers: extraNumbersFrom(options.extraNumbers, '--extra-numbers'),
    }),
    ...(options.period !== undefined && { period: options.period }),
  }
  const { checkout: opened } = await context.asPerson((client) => client.billing.checkout(wanted))
  if (options.open) openAddress(context, opened.url)
  if (!options.wait) return context.print.record(opened, columns)
  context.note(`Pay at ${opened.url}`)
  await context.print.record(await waitUntilPaid(context, opened.id, timeoutMs), billingColumns)
}

/** `billing checkout`. */
export const checkoutVerb = verb(
  'checkout <products...>',
  'open the page on which a plan is paid for the first time',
  checkout,
  ['msgctl billing checkout notify developer', 'msgctl billing checkout connect --extra-numbers 2 --open --wait'],
  (command) =>
    planOptions(command)
      .option('--open', 'open the page in a browser')
      .option('--wait', 'wait until it is paid')
      .option('--timeout <time>', 'maximum time to wait', '1h'),
)
