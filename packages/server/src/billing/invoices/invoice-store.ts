import type { InvoiceStatus } from '@msgctl/contract'
import type { InvoiceLine, ProviderInvoice } from '#billing/payments/provider-records.ts'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** An invoice, as it is stored. */
export interface InvoiceRow extends Omit<Row<'billing_invoices'>, 'status' | 'lines'> {
  readonly status: InvoiceStatus
  readonly lines: readonly InvoiceLine[]
}

const columns = `
  id, organization_id, provider_id, number, status, currency, subtotal, tax, total, paid, refunded, disputed,
  created_at, paid_at, failed_at, period_start, period_end, pay_url, lines, receipt_mailed_at, failure_mailed_at`

/** Returns invoices of an organization by the ids of the provider. */
export async function findByProviderIds(
  db: Db,
  organizationId: string,
  providerIds: readonly string[],
): Promise<InvoiceRow[]> {
  return rows<InvoiceRow>(
    db,
    `select ${columns} from billing_invoices
      where organization_id = :organizationId and provider_id = any(:providerIds::text[])`,
    { organizationId, providerIds },
  )
}

/** Returns an invoice of an organization. */
export async function findInvoice(db: Db, organizationId: string, id: string): Promise<InvoiceRow | undefined> {
  return firstRow<InvoiceRow>(
    db,
    `select ${columns} from billing_invoices where organization_id = :organizationId and id = :id`,
    { organizationId, id },
  )
}

/** Returns invoices of an organization, the newest first, from behind the one with the id `after` on. */
export async function listInvoices(
  db: Db,
  organizationId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<InvoiceRow[]> {
  return rows<InvoiceRow>(
    db,
    `select ${columns} from billing_invoices
      where organization_id = :organizationId
        and (:after::uuid is null or (created_at, id) < (
          select created_at, id from billing_invoices where organization_id = :organizationId and id = :after))
      order by created_at desc, id desc limit :limit`,
    { organizationId, after, limit },
  )
}

/** What the service has done about an invoice. */
interface Noted {
  readonly id: string
  readonly failed: boolean
  readonly receiptMailed: boolean
  readonly failureMailed: boolean
}

/** Writes an invoice as the provider shows it. */
export async function putInvoice(
  trx: Db,
  organizationId: string,
  invoice: ProviderInvoice,
  noted: Noted,
): Promise<void> {
  await rows(
    trx,
    `insert into billing_invoices (id, organization_id, provider_id, number, status, currency, subtotal, tax, total,
       paid, refunded, disputed, created_at, paid_at, failed_at, period_start, period_end, pay_url, lines,
       receipt_mailed_at, failure_mailed_at)
     select :id, :organizationId, :providerId, :number, :status, :currency, :subtotal, :tax, :total, :paid, :refunded,
            :disputed, :createdAt, :paidAt, case when :failed then now end, :periodStart, :periodEnd, :payUrl,
            :lines::jsonb, case when :receiptMailed then now end, case when :failureMailed then now end
       from (select service_now() as now) t
     on conflict (provider_id) do update set number = excluded.number, status = excluded.status,
       subtotal = excluded.subtotal, tax = excluded.tax, total = excluded.total, paid = excluded.paid,
       refunded = excluded.refunded, disputed = excluded.disputed, paid_at = excluded.paid_at,
       failed_at = coalesce(billing_invoices.failed_at, excluded.failed_at), period_start = excluded.period_start,
       period_end = excluded.period_end, pay_url = excluded.pay_url, lines = excluded.lines,
       receipt_mailed_at = coalesce(billing_invoices.receipt_mailed_at, excluded.receipt_mailed_at),
       failure_mailed_at = coalesce(billing_invoices.failure_mailed_at, excluded.failure_mailed_at)`,
    {
      organizationId,
      providerId: invoice.id,
      number: invoice.number,
      status: invoice.status,
      currency: invoice.currency,
      subtotal: invoice.subtotal,
      tax: invoice.tax,
      total: invoice.total,
      paid: invoice.paid,
      refunded: invoice.refunded,
      disputed: invoice.disputed,
      createdAt: invoice.createdAt,
      paidAt: invoice.paidAt,
      periodStart: invoice.periodStart,
      periodEnd: invoice.periodEnd,
      payUrl: invoice.payUrl,
      lines: JSON.stringify(invoice.lines),
      ...noted,
    },
  )
}
