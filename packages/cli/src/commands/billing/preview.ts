import type { AdminClient } from '@msgctl/client/admin'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { wholeFrom } from '../../input/duration.ts'
import { createTimes } from '../../output/times.ts'

/** A plan, or the part of one that changes. */
export type Wanted = NonNullable<Parameters<AdminClient['billing']['preview']>[0]>
type Product = NonNullable<Wanted['products']>[number]

const products: readonly Product[] = ['notify', 'assistant', 'shop', 'developer', 'connect']
const maxExtraNumbers = 1000

/** Parses the names of products. Throws a usage error for another word. */
export function productsFrom(words: readonly string[]): Product[] {
  return [...new Set(words)].map((word) => {
    const product = products.find((each) => each === word)
    if (product === undefined) throw usageFailure(`There is no product ${word}.`, `Products: ${products.join(', ')}.`)
    return product
  })
}

/** Parses a count of extra numbers. Throws a usage error that names `what`. */
export function extraNumbersFrom(text: string, what: string): number {
  return wholeFrom(text, what, 0, maxExtraNumbers)
}

/** Returns a time of the service for a question. */
export function shownTime({ host, options }: Context, iso: string): string {
  return createTimes(host, options.utc === true).absolute(iso)
}

/** Shows what a plan costs, and asks for a confirmation. Nothing is read or asked with --yes and in a dry run. */
export async function confirmPrice(
  context: Context,
  client: AdminClient,
  { wanted, question }: { readonly wanted: Wanted; readonly question: string },
): Promise<void> {
  if (!context.options.yes && !context.options.dryRun) {
    const { preview } = await client.billing.preview(wanted)
    for (const { description, amount } of preview.lines) context.note(`${amount.text.padStart(14)}  ${description}`)
    const next = `${preview.nextTotal.text} on ${shownTime(context, preview.nextAt)}`
    context.note(`${preview.dueNow.text.padStart(14)}  now, then ${next}`)
    if (preview.credit.amount !== 0) context.note(`${preview.credit.text.padStart(14)}  credit afterwards`)
  }
  await context.confirm(question)
}
