import { useQuery } from '@tanstack/preact-query'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Phone } from '../ui/contact.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { LoadProblem } from '../ui/problem.tsx'
import { t } from '../words/index.ts'
import type { AssistantProps } from './assistant.tsx'
import { words } from './words.ts'

/** The phones that get a text for each order. */
export function OrderPhones({ bot: { id: botId }, mayManage }: AssistantProps) {
  const list = useQuery({ queryKey: ['bots', botId, 'order-phones'], queryFn: () => admin.bots.orderPhones({ botId }) })
  const stale = ['bots']
  const add = useAction(
    ({ phone = '', name = '' }: Values) => admin.bots.addOrderPhone({ botId, phone, name: name.trim() || null }),
    { stale, done: t.ui.saved, quiet: true },
  )
  const remove = useAction((phone: string) => admin.bots.removeOrderPhone({ botId, phone }), { stale })
  return (
    <Card title={words.orderPhones} aside={<span class="small muted">{words.orderPhonesHint}</span>}>
      {list.isError ? <LoadProblem error={list.error} retry={() => list.refetch()} /> : null}
      <ul class="items">
        {list.data?.orderPhones.map(({ phone, name }) => (
          <li key={phone} class="item">
            <span class="grow">
              {name ? (
                <>
                  <b dir="auto">{name}</b>{' '}
                </>
              ) : null}
              <Phone of={phone} />
            </span>
            {mayManage ? (
              <Button kind="danger" disabled={remove.busy} onClick={() => remove.run(phone)} label={t.ui.remove} />
            ) : null}
          </li>
        ))}
      </ul>
      {mayManage ? (
        <div class="pad">
          <Form action={add} submit={words.addPhone}>
            <div class="fields">
              <TextField label={words.phone} name="phone" type="tel" hint={t.sendBox.toHint} />
              <TextField label={words.whose} name="name" optional />
            </div>
          </Form>
        </div>
      ) : null}
    </Card>
  )
}
