/** What is read of the details of a refused change. */
interface Refusal {
  readonly reason?: string
  readonly payUrl?: string | null
  readonly expiresAt?: string
}

const commands: Readonly<Record<string, string>> = {
  already_subscribed: 'Change it with msgctl billing plan, msgctl billing extra-numbers or msgctl billing period.',
  payment_open: 'See the open payment with: msgctl billing show',
  ending: 'Keep it with: msgctl billing resume',
  granted: 'msgctl billing show lists what the operator granted.',
  not_for_sale: 'List what is for sale with: msgctl billing prices',
  no_capped_product: 'Add one of them with: msgctl billing plan',
}

/** Returns what the user can do about a change of the plan that is refused: the page to pay on, or a command. */
export function refusedChangeHint(details: unknown): string | undefined {
  const { reason = '', payUrl, expiresAt } = (details ?? {}) as Refusal
  if (!payUrl) return commands[reason]
  return `Pay${expiresAt === undefined ? '' : ` until ${expiresAt}`} at ${payUrl}`
}
