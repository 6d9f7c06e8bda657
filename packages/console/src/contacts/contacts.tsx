import type { Contact } from '@msgctl/client'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { useFeature } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Face, Phone } from '../ui/contact.tsx'
import { Filters } from '../ui/filters.tsx'
import { Form, TextArea, type Values } from '../ui/form.tsx'
import { Card, Empty, Page } from '../ui/layout.tsx'
import { Contact as ContactMark } from '../ui/marks.ts'
import { Pager } from '../ui/pager.tsx'
import { LoadProblem, LoadState } from '../ui/problem.tsx'
import { toast } from '../ui/toast.tsx'
import { t } from '../words/index.ts'
import { OptOuts } from './opt-outs.tsx'

const searchDelayMs = 300
const shown = 50

const views = ['', 'opted-out'] as const

/** The contacts, those who opted out of campaigns, and the keywords that opt out. */
export function Contacts() {
  const { query, route, path } = useLocation()
  const view = views.find((each) => each === query.show) ?? ''
  const count = useQuery({ queryKey: ['contacts', 'count'], queryFn: () => api.contacts.count() })
  const sync = useAction(
    async () => {
      const { contacts } = await api.contacts.sync({})
      toast(t.contacts.synced(contacts))
    },
    { stale: ['contacts'] },
  )
  return (
    <Page
      title={t.nav.contacts}
      beside={count.data ? <span class="small muted num">{t.contacts.count(count.data.count)}</span> : null}
      actions={<Button action={sync} label={t.contacts.sync} />}
    >
      <Filters
        label={t.contacts.which}
        value={view}
        options={views.map((each) => [each, t.contacts.views[each]] as const)}
        onChange={(value) => route(value ? `${path}?show=${value}` : path, true)}
      />
      {view === '' ? <ContactList isImporting={count.data?.importing ?? false} /> : <OptOuts />}
      <OptOutWords />
    </Page>
  )
}

function ContactList({ isImporting }: { readonly isImporting: boolean }) {
  const [text, setText] = useState('')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  useEffect(() => {
    const timer = setTimeout(() => {
      setSearch(text.trim())
      setPage(1)
    }, searchDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  const found = useQuery({
    queryKey: ['contacts', 'search', search, page],
    placeholderData: keepPreviousData,
    queryFn: () =>
      search ? api.contacts.search({ search, page, limit: shown }) : api.contacts.list({ page, limit: shown }),
  })
  const contacts = found.data?.contacts ?? []
  return (
    <Card>
      <div class="pad">
        <input
          class="input"
          type="search"
          maxLength={100}
          autofocus
          aria-label={t.contacts.search}
          placeholder={t.contacts.search}
          dir="auto"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <LoadState of={found} />
      {found.isSuccess && contacts.length === 0 ? (
        <Empty title={search ? t.contacts.none : t.contacts.empty} mark={<ContactMark size={20} aria-hidden />}>
          {isImporting ? t.contacts.importing : null}
        </Empty>
      ) : null}
      {contacts.length > 0 ? <ContactTable contacts={contacts} /> : null}
      {found.data ? <Pager page={page} limit={shown} total={found.data.total} onChange={setPage} /> : null}
    </Card>
  )
}

function ContactTable({ contacts }: { readonly contacts: readonly Contact[] }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>{t.contacts.name}</th>
            <th>{t.contacts.number}</th>
            <th>{t.contacts.source}</th>
            <th>{t.contacts.campaigns}</th>
            <th>
              <span class="unseen">{t.ui.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {contacts.map((contact) => (
            <ContactRow key={contact.id} contact={contact} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ContactRow({ contact }: { readonly contact: Contact }) {
  const { id, name, phone, lid, saved, optedOut } = contact
  const hasInbox = useFeature('inbox')
  const change = useAction(() => api.contacts.update({ id, optedOut: !optedOut }), { stale: ['contacts'] })
  const address = phone ?? lid ?? ''
  const path = hasInbox ? `inbox/${encodeURIComponent(address)}` : `messages?search=${encodeURIComponent(address)}`
  return (
    <tr>
      <td>
        <a class="row row-link" href={pagePath(path)}>
          <Face id={address} name={name} />
          <span dir="auto">{name ?? '—'}</span>
        </a>
      </td>
      <td>{phone ? <Phone of={phone} /> : <span class="muted">{t.contacts.hidden}</span>}</td>
      <td class="muted">{saved ? t.contacts.saved : '—'}</td>
      <td>
        {optedOut ? (
          <span class="is-held strong">{t.contacts.optedOut}</span>
        ) : (
          <span class="muted">{t.contacts.receives}</span>
        )}
      </td>
      <td class="actions-cell">
        <Button action={change} label={optedOut ? t.contacts.optIn : t.contacts.optOut} />
      </td>
    </tr>
  )
}

function OptOutWords() {
  const words = useQuery({ queryKey: ['opt-out-words'], queryFn: () => api.contacts.optOutWords() })
  const save = useAction(
    ({ words: text = '' }: Values) =>
      api.contacts.setOptOutWords({
        words: text
          .split(/[,،\n]/)
          .map((word) => word.trim())
          .filter(Boolean),
      }),
    { stale: ['opt-out-words'], done: t.ui.saved, quiet: true },
  )
  return (
    <Card title={t.contacts.words}>
      <div class="pad">
        {words.isError ? <LoadProblem error={words.error} retry={() => words.refetch()} /> : null}
        {words.data ? (
          <Form action={save} submit={t.contacts.wordsSave}>
            <TextArea
              label={t.contacts.wordsLabel}
              name="words"
              rows={2}
              defaultValue={words.data.words.join(', ')}
              hint={t.contacts.wordsHint}
              optional
            />
          </Form>
        ) : null}
      </div>
    </Card>
  )
}
