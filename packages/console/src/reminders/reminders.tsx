import type { Reminder } from '@msgctl/client'
import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { useFeature } from '../session/session.ts'
import { Locked } from '../shell/locked.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Phone } from '../ui/contact.tsx'
import { Filters } from '../ui/filters.tsx'
import { Card, Empty, Page } from '../ui/layout.tsx'
import { Clock3 } from '../ui/marks.ts'
import { Pager } from '../ui/pager.tsx'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/index.ts'
import { ReminderDialog } from './reminder-dialog.tsx'

const pageSize = 50
const filters = ['', 'scheduled', 'done', 'failed', 'cancelled'] as const
type Filter = (typeof filters)[number]

/** The reminders, with what can be done to each. */
export function Reminders() {
  const isUnlocked = useFeature('reminders')
  const [filter, setFilter] = useState<Filter>('')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [editing, setEditing] = useState<Reminder | 'new' | null>(null)
  const list = useQuery({
    queryKey: ['reminders', filter, search, page],
    enabled: isUnlocked,
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.reminders.list({
        page,
        limit: pageSize,
        ...(filter ? { status: filter } : {}),
        ...(search.trim() ? { search: search.trim() } : {}),
      }),
  })
  if (!isUnlocked) return <Locked name="reminders" />
  const reminders = list.data?.reminders ?? []
  return (
    <Page
      title={t.nav.reminders}
      actions={<Button kind="primary" onClick={() => setEditing('new')} label={t.reminders.create} />}
    >
      <Card
        title={
          <Filters
            label={t.reminders.state}
            value={filter}
            options={filters.map((each) => [each, t.reminders.filters[each]])}
            onChange={(value) => {
              setFilter(value)
              setPage(1)
            }}
          />
        }
        aside={
          <input
            class="input compact"
            type="search"
            maxLength={100}
            aria-label={t.reminders.search}
            placeholder={t.reminders.search}
            value={search}
            onInput={(event) => {
              setSearch(event.currentTarget.value)
              setPage(1)
            }}
          />
        }
      >
        <LoadState of={list} />
        {list.isSuccess && reminders.length === 0 ? (
          <Empty title={t.reminders.empty} mark={<Clock3 size={20} aria-hidden />}>
            {t.reminders.emptyHint}
          </Empty>
        ) : null}
        {reminders.length > 0 ? <ReminderTable reminders={reminders} onEdit={setEditing} /> : null}
        {list.data ? <Pager page={page} limit={pageSize} total={list.data.total} onChange={setPage} /> : null}
      </Card>
      {editing === null ? null : (
        <ReminderDialog reminder={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </Page>
  )
}

interface ReminderTableProps {
  readonly reminders: readonly Reminder[]
  readonly onEdit: (reminder: Reminder) => void
}

function ReminderTable({ reminders, onEdit }: ReminderTableProps) {
  const words = t.reminders
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>{words.next}</th>
            <th>{words.to}</th>
            <th>{words.text}</th>
            <th>{words.repeat}</th>
            <th>{words.state}</th>
            <th>
              <span class="unseen">{t.ui.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {reminders.map((reminder) => (
            <tr key={reminder.id}>
              <td class="num nowrap">{dayAndTime(reminder.sendAt)}</td>
              <td>
                <Phone of={reminder.phone} />
              </td>
              <td class="wide">
                {reminder.label ? (
                  <b class="cut block" dir="auto">
                    {reminder.label}
                  </b>
                ) : null}
                <span class="cut block muted" dir="auto">
                  {reminder.message}
                </span>
              </td>
              <td class="nowrap">
                {words.repeats[reminder.repeat]}
                {reminder.sendCount > 0 ? <span class="block xs muted">{words.sent(reminder.sendCount)}</span> : null}
              </td>
              <td>
                <Status of={reminder.status} />
                {reminder.lastError ? <span class="block xs error">{reminder.lastError}</span> : null}
              </td>
              <td class="actions-cell">
                <ReminderActions reminder={reminder} onEdit={() => onEdit(reminder)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface ReminderActionsProps {
  readonly reminder: Reminder
  readonly onEdit: () => void
}

function ReminderActions({ reminder, onEdit }: ReminderActionsProps) {
  const { id, status, lastMessageId } = reminder
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null)
  const stale = ['reminders']
  const cancel = useAction(() => api.reminders.cancel({ id }), { stale })
  const remove = useAction(() => api.reminders.delete({ id }), { stale })
  const words = t.reminders
  return (
    <span class="row">
      {lastMessageId ? (
        <a class="btn quiet" href={pagePath(`messages/${lastMessageId}`)}>
          {words.lastMessage}
        </a>
      ) : null}
      {status === 'scheduled' ? (
        <>
          <Button onClick={onEdit} label={words.edit} />
          <Button kind="danger" onClick={() => setAsking('cancel')} label={words.cancel} />
        </>
      ) : (
        <Button kind="danger" onClick={() => setAsking('delete')} label={words.delete} />
      )}
      {asking === 'cancel' ? (
        <Confirm title={words.cancelTitle} act={words.cancel} action={cancel} onClose={() => setAsking(null)}>
          <p>{words.cancelHint}</p>
        </Confirm>
      ) : null}
      {asking === 'delete' ? (
        <Confirm title={words.deleteTitle} act={words.delete} action={remove} onClose={() => setAsking(null)}>
          <p class="cut" dir="auto">
            {reminder.message}
          </p>
        </Confirm>
      ) : null}
    </span>
  )
}
