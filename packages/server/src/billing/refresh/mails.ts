import { formatMoney } from '@msgctl/contract'
import type { Entitled } from '#billing/accounts/entitle.ts'
import { type Account, planOf } from '#billing/accounts/stored.ts'
import type { PaidServices } from '#billing/errors.ts'
import type { ProviderInvoice } from '#billing/payments/provider-records.ts'
import type { Db } from '#platform/db/db.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Party } from './party-store.ts'

/** The organization of a mail, and the invoice that it is about. */
interface About {
  readonly organizationId: string
  readonly party: Party
  readonly invoice: ProviderInvoice
}

/** Mails the receipt of a payment to the owner and to the address for bills. Returns whether there is a mail. */
export async function mailReceipt(
  trx: Db,
  services: PaidServices,
  { organizationId, party, invoice }: About,
  billingEmail: string | null,
): Promise<boolean> {
  if (party.isDeleted) return false
  const facts = {
    organization: party.name,
    number: invoice.number ?? '-',
    total: formatMoney(invoice.total, invoice.currency),
    lines: invoice.lines.map(({ description, amount }) => `${description}: ${formatMoney(amount, invoice.currency)}`),
    link: services.payments.returnUrl,
  }
  const addresses = new Set([party.ownerEmail, billingEmail].flatMap((email) => email?.toLowerCase() ?? []))
  let mailed = false
  for (const to of addresses) {
    mailed = (await queueMail(trx, services, { to, kind: 'payment_receipt', facts, organizationId })) || mailed
  }
  return mailed
}

/** Mails the owner that a payment failed. Returns whether there is a mail. */
export async function mailFailure(
  trx: Db,
  services: PaidServices,
  { organizationId, party, invoice }: About,
  until: Date | null,
): Promise<boolean> {
  if (party.isDeleted || party.ownerEmail === null) return false
  const facts = {
    organization: party.name,
    total: formatMoney(invoice.total, invoice.currency),
    confirm: invoice.failure === 'authentication_required',
    until: until && dayOf(until),
    link: invoice.payUrl ?? services.payments.returnUrl,
  }
  return queueMail(trx, services, { to: party.ownerEmail, kind: 'payment_failed', facts, organizationId })
}

/** Mails the owner that products stopped: the subscription ended, or its days of grace are over. */
export async function mailStates(
  trx: Db,
  services: PaidServices,
  {
    organizationId,
    party,
    before,
    after,
  }: {
    readonly organizationId: string
    readonly party: Party
    readonly before: Pick<Account, 'status' | 'items'>
    readonly after: Pick<Entitled, 'status'>
  },
): Promise<void> {
  const worked = before.status === 'active' || before.status === 'past_due'
  const stopped = after.status === 'ended' || after.status === 'unpaid'
  if (!worked || !stopped || party.isDeleted || party.ownerEmail === null) return
  const facts = {
    organization: party.name,
    products: planOf(before.items).products.join(', '),
    unpaid: after.status === 'unpaid',
    link: services.payments.returnUrl,
  }
  await queueMail(trx, services, { to: party.ownerEmail, kind: 'subscription_ended', facts, organizationId })
}

/** Returns a day in words that every reader understands: 8 December 2026. */
export function dayOf(at: Date): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    at,
  )
}
