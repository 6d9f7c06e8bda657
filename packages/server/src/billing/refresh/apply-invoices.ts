import { type Actor, recordActivity } from '#api/activity/log.ts'
import type { Entitled } from '#billing/accounts/entitle.ts'
import type { PaidServices } from '#billing/errors.ts'
import { findByProviderIds, type InvoiceRow, putInvoice } from '#billing/invoices/invoice-store.ts'
import type { ProviderInvoice, ProviderState } from '#billing/payments/provider-records.ts'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { mailFailure, mailReceipt } from './mails.ts'
import type { Party } from './party-store.ts'

/** What invoices are applied to. */
interface Target {
  readonly organizationId: string
  readonly party: Party
  readonly after: Entitled
  readonly actor: Actor
  readonly state: ProviderState | null
}

/**
 * Writes the invoices that changed, with their entries in the log and their mails, each once. Returns what was paid and
 * what failed, for the metrics.
 */
export async function applyInvoices(trx: Db, services: PaidServices, target: Target): Promise<('paid' | 'failed')[]> {
  // The oldest first, so that the log is in their order.
  const invoices = [...(target.state?.invoices ?? [])].reverse()
  const ids = invoices.map(({ id }) => id)
  const known = await findByProviderIds(trx, target.organizationId, ids)
  const outcomes: ('paid' | 'failed')[] = []
  for (const invoice of invoices) {
    const before = known.find(({ providerId }) => providerId === invoice.id)
    if (before && isSame(before, invoice)) continue
    outcomes.push(...(await applyInvoice(trx, services, target, { before, invoice })))
  }
  return outcomes
}

async function applyInvoice(
  trx: Db,
  services: PaidServices,
  { organizationId, party, after, actor, state }: Target,
  { before, invoice }: { readonly before: InvoiceRow | undefined; readonly invoice: ProviderInvoice },
): Promise<('paid' | 'failed')[]> {
  const id = before?.id ?? newId()
  const { number, total, currency, failure } = invoice
  const paid = invoice.status === 'paid' && before?.status !== 'paid'
  const failed = invoice.status !== 'paid' && failure !== null && !before?.failedAt
  const sum = { number, total, currency }
  const log = (action: string, details: Record<string, unknown>) =>
    recordActivity(trx, { organizationId, actor, action, subject: id, details })
  if (paid) await log('billing.payment_received', sum)
  if (failed) await log('billing.payment_failed', { ...sum, reason: failure })
  if (invoice.refunded > (before?.refunded ?? 0)) await log('billing.refunded', { ...sum, refunded: invoice.refunded })
  if (invoice.disputed && !before?.disputed) {
    await log('billing.disputed', sum)
    services.log.error({ event: 'billing_disputed', organizationId }, 'the holder of a card disputes a payment')
  }
  const mail = { organizationId, party, invoice }
  const receiptMailed = paid && (await mailReceipt(trx, services, mail, state?.customer.email ?? null))
  const isRenewal = invoice.kind === 'renewal'
  const failureMailed = failed && isRenewal && (await mailFailure(trx, services, mail, after.graceEndsAt))
  await putInvoice(trx, organizationId, invoice, { id, failed, receiptMailed, failureMailed })
  return paid ? ['paid'] : failed ? ['failed'] : []
}

/** Returns whether a stored invoice is as the provider shows it. */
function isSame(row: InvoiceRow, invoice: ProviderInvoice): boolean {
  return (
    row.status === invoice.status &&
    row.number === invoice.number &&
    row.total === invoice.total &&
    row.paid === invoice.paid &&
    row.refunded === invoice.refunded &&
    row.disputed === invoice.disputed &&
    row.payUrl === invoice.payUrl &&
    (row.failedAt !== null || invoice.failure === null)
  )
}
