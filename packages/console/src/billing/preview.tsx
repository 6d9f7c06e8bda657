import { useQuery } from '@tanstack/preact-query'
import { admin } from '../api/admin-client.ts'
import { refresh } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { loadSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Facts } from '../ui/layout.tsx'
import { LoadState, Problem } from '../ui/problem.tsx'
import { dayOf } from '../words/format.ts'
import { t } from '../words/index.ts'
import { amountOf, type Plan } from './billing-state.ts'

interface PreviewProps {
  readonly plan: Plan
  /** What is changed of a plan that is paid for; undefined for a plan that is bought. */
  readonly part: keyof Plan | undefined
  readonly onClose: () => void
}

/** Makes the change, or opens the page on which the plan is bought. */
function carryOut({ products, extraNumbers, period }: Plan, part: keyof Plan | undefined): Promise<unknown> {
  switch (part) {
    case 'products':
      return admin.billing.setPlan({ products: [...products] })
    case 'extraNumbers':
      return admin.billing.setExtraNumbers({ extraNumbers })
    case 'period':
      return admin.billing.setPeriod({ period })
    default:
      return admin.billing.checkout({ products: [...products], extraNumbers, period }).then(({ checkout }) => {
        location.assign(checkout.url)
      })
  }
}

/** What a plan costs, before it is bought or changed. */
export function Preview({ plan, part, onClose }: PreviewProps) {
  const words = t.billing
  const { products, extraNumbers, period } = plan
  const asked = part === undefined ? { products: [...products], extraNumbers, period } : { [part]: plan[part] }
  const found = useQuery({
    queryKey: ['preview', asked],
    queryFn: () => admin.billing.preview(asked),
    staleTime: 0,
    gcTime: 0,
  })
  const act = useAction(
    async () => {
      // Also a change that was refused leaves something to show: it may wait for a payment.
      await carryOut(plan, part).finally(() => refresh('billing', 'invoices'))
      await loadSession()
    },
    {
      stale: ['organization', 'me'],
      quiet: true,
      ...(part === undefined ? {} : { done: words.changed }),
    },
  )
  const payUrl = act.failure?.details.payUrl
  return (
    <Dialog title={part === undefined ? words.previewNew : words.previewTitle} size="small" onClose={onClose}>
      <div class="dialog-body">
        <LoadState of={found} />
        {found.data ? <Amounts preview={found.data.preview} /> : null}
        {part === undefined ? <p class="hint">{words.buyHint}</p> : null}
        {act.failure ? <Problem failure={act.failure} /> : null}
        <footer>
          <Button onClick={onClose} label={t.ui.cancel} />
          {typeof payUrl === 'string' ? (
            <a class="btn primary" href={payUrl}>
              {words.pay}
            </a>
          ) : (
            <button
              type="button"
              class="btn primary"
              disabled={act.busy || !found.data}
              onClick={async () => {
                if ((await act.run()) && part !== undefined) onClose()
              }}
            >
              {part === undefined ? words.buy : words.confirm}
            </button>
          )}
        </footer>
      </div>
    </Dialog>
  )
}

type PreviewData = Awaited<ReturnType<typeof admin.billing.preview>>['preview']

function Amounts({ preview: { lines, dueNow, tax, credit, nextTotal, nextAt } }: { readonly preview: PreviewData }) {
  const words = t.billing
  return (
    <div class="stack tight">
      <ul class="preview-lines">
        {lines.map(({ description, amount }, index) => (
          <li key={index} class="row between">
            <span dir="auto">{description}</span>
            <span class="num nowrap">{amountOf(amount)}</span>
          </li>
        ))}
      </ul>
      <Facts
        facts={[
          [words.dueNow, <b class="num">{amountOf(dueNow)}</b>],
          tax.amount === 0 ? null : [words.tax, amountOf(tax)],
          credit.amount === 0 ? null : [words.toCredit, amountOf(credit)],
          [words.afterwards, words.nextOn(amountOf(nextTotal), dayOf(nextAt))],
        ]}
      />
    </div>
  )
}
