import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { openAddress } from '../open/open-page.ts'
import { billingColumns } from './columns.ts'
import { shownTime } from './preview.ts'

async function cancel(context: Context): Promise<void> {
  const { billing } = await context.asPerson(async (client) => {
    if (!context.options.yes && !context.options.dryRun) {
      const { billing: now } = await client.billing.get()
      const end = now.status === 'active' ? now.currentPeriodEnd : null
      const effect = end === null ? 'now' : `at the end of the period, ${shownTime(context, end)}`
      await context.confirm(`Stop the plan ${effect}? Nothing is deleted.`)
    }
    return client.billing.cancel()
  })
  await context.print.record(billing, billingColumns)
}

async function resume(context: Context): Promise<void> {
  const { billing } = await context.asPerson((client) => client.billing.resume())
  await context.print.record(billing, billingColumns)
}

async function portal(context: Context, { open }: { readonly open?: true }): Promise<void> {
  const { portal: page } = await context.asPerson((client) => client.billing.portal())
  if (open) openAddress(context, page.url)
  await context.print.record(page, defineColumns('url as Page'))
}

/** `billing cancel`, `billing resume` and `billing portal`. */
export const stopVerbs = verbs(
  verb('cancel', 'stop the plan at the end of the period', cancel, [
    'msgctl billing cancel',
    'msgctl billing cancel --yes',
  ]),
  verb('resume', 'keep a plan that is set to stop', resume, ['msgctl billing resume']),
  verb(
    'portal',
    'open the page on which card, tax id and billing e-mail are changed',
    portal,
    ['msgctl billing portal --open'],
    (command) => command.option('--open', 'open the page in a browser'),
  ),
)
