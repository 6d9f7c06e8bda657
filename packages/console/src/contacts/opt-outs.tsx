import type { ContactsOptOutsOutput } from '@msgctl/client'
import { limits } from '@msgctl/contract/limits'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Phone } from '../ui/contact.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextArea, type Values } from '../ui/form.tsx'
import { Card, Empty } from '../ui/layout.tsx'
import { Pager } from '../ui/pager.tsx'
import { LoadState } from '../ui/problem.tsx'
import { toast } from '../ui/toast.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'

const pageSize = 50

/** The contacts who refuse campaigns, and a way to add a list of them. */
export function OptOuts() {
  const [page, setPage] = useState(1)
  const [adding, setAdding] = useState(false)
  const list = useQuery({
    queryKey: ['contacts', 'opt-outs', page],
    placeholderData: keepPreviousData,
    queryFn: () => api.contacts.optOuts({ page, limit: pageSize }),
  })
  const optOuts = list.data?.optOuts ?? []
  return (
    <Card
      title={t.contacts.views['opted-out']}
      aside={<Button onClick={() => setAdding(true)} label={t.contacts.addOptOuts} />}
    >
      <LoadState of={list} />
      {list.isSuccess && optOuts.length === 0 ? <Empty title={t.contacts.noOptOuts} /> : null}
      <ul class="items">
        {optOuts.map((contact) => (
          <OptOutRow key={contact.id} contact={contact} />
        ))}
      </ul>
      {list.data ? <Pager page={page} limit={pageSize} total={list.data.total} onChange={setPage} /> : null}
      {adding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </Card>
  )
}

function OptOutRow({ contact }: { readonly contact: ContactsOptOutsOutput['optOuts'][number] }) {
  const { id, name, phone, optedAt } = contact
  const letIn = useAction(() => api.contacts.update({ id, optedOut: false }), { stale: ['contacts'] })
  return (
    <li class="item">
      <span class="grow">
        {name ? (
          <>
            <b dir="auto">{name}</b>{' '}
          </>
        ) : null}
        {phone ? <Phone of={phone} /> : <span class="muted">{t.contacts.hidden}</span>}
      </span>
      <span class="xs muted">
        <When at={optedAt} />
      </span>
      <Button action={letIn} label={t.contacts.optIn} />
    </li>
  )
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const add = useAction(
    async ({ phones: text = '' }: Values) => {
      const phones = text
        .split(/[\n,;،]/)
        .map((phone) => phone.trim())
        .filter(Boolean)
      const { optedOut, already } = await api.contacts.addOptOuts({ phones })
      toast(t.contacts.optOutsAdded(optedOut, already))
    },
    { stale: ['contacts'], quiet: true },
  )
  return (
    <Dialog title={t.contacts.addOptOuts} onClose={onClose}>
      <div class="dialog-body">
        <Form action={add} submit={t.contacts.addOptOuts} onDone={onClose} onCancel={onClose}>
          <TextArea
            label={t.contacts.number}
            name="phones"
            rows={8}
            dir="ltr"
            hint={t.contacts.optOutsHint(limits.optOutPhones)}
          />
        </Form>
      </div>
    </Dialog>
  )
}
