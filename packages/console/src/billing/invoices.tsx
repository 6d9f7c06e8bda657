import { keepPreviousData, useInfiniteQuery } from '@tanstack/preact-query'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Card, Empty } from '../ui/layout.tsx'
import { LoadState } from '../ui/problem.tsx'
import { Scroll } from '../ui/scroll.tsx'
import { When } from '../ui/when.tsx'
import { dayOf } from '../words/format.ts'
import { t } from '../words/index.ts'
import { amountOf, type Invoice } from './billing-state.ts'

/** The invoices with their receipts, the newest first. */
export function Invoices() {
  const words = t.billing
  const list = useInfiniteQuery({
    queryKey: ['invoices'],
    initialPageParam: '',
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }) => admin.billing.invoices(pageParam ? { cursor: pageParam } : {}),
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  })
  const invoices = list.data?.pages.flatMap((page) => page.invoices) ?? []
  return (
    <Card title={words.invoices}>
      <LoadState of={list} />
      {list.isSuccess && invoices.length === 0 ? <Empty title={words.noInvoices} /> : null}
      {invoices.length > 0 ? (
        <Scroll label={words.invoices}>
          <table>
            <thead>
              <tr>
                <th>{words.number}</th>
                <th>{t.ui.time}</th>
                <th>{words.covers}</th>
                <th class="end">{words.total}</th>
                <th>{words.state}</th>
                <th>
                  <span class="unseen">{t.ui.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {invoices.map((invoice) => (
                <InvoiceRow key={invoice.id} invoice={invoice} />
              ))}
            </tbody>
          </table>
        </Scroll>
      ) : null}
      {list.hasNextPage ? (
        <footer>
          <Button disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()} label={words.more} />
        </footer>
      ) : null}
    </Card>
  )
}

function InvoiceRow({ invoice }: { readonly invoice: Invoice }) {
  const { id: invoiceId, status, createdAt, periodStart, periodEnd, total, refunded, disputed, payUrl } = invoice
  const words = t.billing
  const open = useAction(async () => {
    const { receipt } = await admin.billing.receipt({ invoiceId })
    location.assign(receipt.url)
  })
  return (
    <tr>
      <td class="num nowrap" dir="ltr">
        {invoice.number ?? '—'}
      </td>
      <td class="muted nowrap">
        <When at={createdAt} />
      </td>
      <td class="num nowrap muted">
        {dayOf(periodStart)} – {dayOf(periodEnd)}
      </td>
      <td class="end num nowrap">{amountOf(total)}</td>
      <td>
        {words.invoiceStates[status]}
        {refunded.amount > 0 ? <span class="block xs muted">{words.refunded(amountOf(refunded))}</span> : null}
        {disputed ? <span class="block xs is-failed">{words.disputed}</span> : null}
      </td>
      <td class="actions-cell">
        {invoice.receipt ? <Button action={open} label={words.receipt} /> : null}
        {status === 'open' && payUrl ? (
          <a class="btn" href={payUrl}>
            {words.pay}
          </a>
        ) : null}
      </td>
    </tr>
  )
}
