import type { BotsOrdersOutput } from '@msgctl/client/admin'
import { type OrderStatus, orderMoves, orderStatuses } from '@msgctl/contract/assistant'
import { limits } from '@msgctl/contract/limits'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Phone } from '../ui/contact.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Filters } from '../ui/filters.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { Card, Empty, Facts } from '../ui/layout.tsx'
import { Pager } from '../ui/pager.tsx'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import type { AssistantProps } from './assistant.tsx'
import { money } from './money.ts'
import { words } from './words.ts'

type Order = BotsOrdersOutput['orders'][number]
const pageSize = 50
const pollMs = 10_000

/** The orders of a shop, and where each is on its way. */
export function Orders({ bot, mayManage }: AssistantProps) {
  const [status, setStatus] = useState<OrderStatus | ''>('')
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<string | null>(null)
  const list = useQuery({
    queryKey: ['bots', bot.id, 'orders', status, page],
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
    queryFn: () => admin.bots.orders({ botId: bot.id, page, limit: pageSize, ...(status ? { status } : {}) }),
  })
  const orders = list.data?.orders ?? []
  const chosen = orders.find(({ orderNumber }) => orderNumber === shown)
  return (
    <Card
      title={words.partNames.orders}
      aside={
        <Filters
          label={words.state}
          value={status}
          options={[['', t.ui.all], ...orderStatuses.map((each) => [each, t.status[each]] as const)]}
          onChange={(value) => {
            setStatus(value)
            setPage(1)
          }}
        />
      }
    >
      <LoadState of={list} />
      {list.isSuccess && orders.length === 0 ? <Empty title={words.noOrders} /> : null}
      {orders.length > 0 ? (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>{words.order}</th>
                <th>{words.customer}</th>
                <th class="end">{words.total}</th>
                <th>{words.state}</th>
                <th class="end">{words.placedAt}</th>
              </tr>
            </thead>
            <tbody>
              {orders.map((order) => (
                <tr key={order.orderNumber}>
                  <td>
                    <button type="button" class="link num" onClick={() => setShown(order.orderNumber)}>
                      {order.orderNumber}
                    </button>
                  </td>
                  <td>
                    {order.name ? (
                      <>
                        <bdi>{order.name}</bdi>{' '}
                      </>
                    ) : null}
                    <Phone of={order.contactPhone} />
                  </td>
                  <td class="end num nowrap">{money(order.total, order.currency)}</td>
                  <td>
                    <Status of={order.status} />
                  </td>
                  <td class="end muted nowrap">
                    <When at={order.placedAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {list.data ? <Pager page={page} limit={pageSize} total={list.data.total} onChange={setPage} /> : null}
      {chosen ? (
        <OrderDialog botId={bot.id} order={chosen} mayManage={mayManage} onClose={() => setShown(null)} />
      ) : null}
    </Card>
  )
}

interface OrderDialogProps {
  readonly botId: string
  readonly order: Order
  readonly mayManage: boolean
  readonly onClose: () => void
}

function OrderDialog({ botId, order, mayManage, onClose }: OrderDialogProps) {
  const { orderNumber, status, currency, lines, deliveryFee, total, history } = order
  return (
    <Dialog title={words.orderTitle(orderNumber)} onClose={onClose}>
      <div class="dialog-body">
        <Facts
          facts={[
            [words.state, <Status key="status" of={status} />],
            [words.customer, <Phone key="phone" of={order.contactPhone} />],
            order.name ? [words.name, order.name] : null,
            order.address ? [words.address, order.address] : null,
            order.note ? [words.note, order.note] : null,
          ]}
        />
        <table>
          <tbody>
            {lines.map(({ productId, name, price, quantity }) => (
              <tr key={productId}>
                <td class="num">{number(quantity)} ×</td>
                <td dir="auto">{name}</td>
                <td class="end num">{money(price * quantity, currency)}</td>
              </tr>
            ))}
            {deliveryFee > 0 ? (
              <tr>
                <td />
                <td>{words.deliveryFee}</td>
                <td class="end num">{money(deliveryFee, currency)}</td>
              </tr>
            ) : null}
            <tr>
              <td />
              <td>
                <b>{words.total}</b>
              </td>
              <td class="end num">
                <b>{money(total, currency)}</b>
              </td>
            </tr>
          </tbody>
        </table>
        <ul class="small">
          {history.map((step) => (
            <li key={`${step.at} ${step.status}`}>
              <When at={step.at} /> {t.status[step.status]} <span dir="auto">{step.note}</span>
            </li>
          ))}
        </ul>
        {mayManage && orderMoves[status].length > 0 ? <MoveForm botId={botId} order={order} /> : null}
      </div>
    </Dialog>
  )
}

function MoveForm({ botId, order: { orderNumber, status } }: Pick<OrderDialogProps, 'botId' | 'order'>) {
  const [first = 'confirmed', ...others] = orderMoves[status]
  const [next, setNext] = useState<OrderStatus>(first)
  const move = useAction(
    ({ note = '', notify }: Values) =>
      admin.bots.changeOrder({
        botId,
        orderNumber,
        status: next,
        notify: notify !== undefined,
        ...(note.trim() ? { note: note.trim() } : {}),
      }),
    { stale: ['bots'], done: t.ui.saved, quiet: true },
  )
  return (
    <Form action={move} submit={words.moveTo(t.status[next])}>
      {others.length > 0 ? (
        <Filters
          label={words.next}
          value={next}
          options={orderMoves[status].map((each) => [each, t.status[each]] as const)}
          onChange={setNext}
        />
      ) : null}
      <TextField label={words.noteForCustomer} name="note" maxLength={limits.bots.orderNote} dir="auto" optional />
      <label class="check">
        <input type="checkbox" name="notify" defaultChecked />
        <span>{words.notify}</span>
      </label>
    </Form>
  )
}
