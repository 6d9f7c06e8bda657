import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api, refresh } from '../api/client.ts'
import { shownState } from '../api/overview.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import type { PathValues } from '../routes.ts'
import { useMayManage } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Phone } from '../ui/contact.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { Card, Empty, Loading, Page } from '../ui/layout.tsx'
import { QrCode, Smartphone } from '../ui/marks.ts'
import { LoadProblem } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { t } from '../words/index.ts'
import { number as digits } from '../words/plural.ts'
import { LinkDialog } from './link-dialog.tsx'
import { NumberDetail } from './number-detail.tsx'
import { useNumbers } from './use-numbers.ts'
import '../styles/numbers.css'

/** The numbers, and beside them the chosen one. */
export function Numbers({ id }: PathValues) {
  const { route, query } = useLocation()
  const { list, numbers } = useNumbers()
  const [adding, setAdding] = useState(false)
  const [linking, setLinking] = useState<string | null>('link' in query && id ? id : null)
  const mayManage = useMayManage()
  const chosen = numbers.find((number) => number.id === id)
  const toLink = numbers.find((number) => number.id === linking)
  return (
    <Page
      title={t.nav.numbers}
      beside={
        list.data ? (
          <span class="small muted num">{t.numbers.used(list.data.usedSessions, list.data.maxSessions)}</span>
        ) : null
      }
      actions={
        <>
          <a class="btn" href={pagePath('send-group')}>
            {t.numbers.sendGroup}
          </a>
          {mayManage ? <Button kind="primary" onClick={() => setAdding(true)} label={t.numbers.add} /> : null}
        </>
      }
    >
      {list.isError ? <LoadProblem error={list.error} retry={() => list.refetch()} /> : null}
      <div class={numbers.length > 0 ? 'split numbers-split' : undefined} data-open={chosen !== undefined}>
        <Card label={t.nav.numbers}>
          {list.isPending ? <Loading /> : null}
          {list.data && numbers.length === 0 ? (
            <Empty title={t.numbers.empty} mark={<Smartphone size={20} aria-hidden />}>
              {t.numbers.emptyHint}
            </Empty>
          ) : null}
          {numbers.length > 0 ? <NumberTable numbers={numbers} current={id} onLink={setLinking} /> : null}
        </Card>
        {numbers.length === 0 ? null : chosen ? (
          <NumberDetail key={chosen.id} number={chosen} onLink={() => setLinking(chosen.id)} />
        ) : (
          <Card>
            <Empty title={t.numbers.choose} />
          </Card>
        )}
      </div>
      {adding ? (
        <AddDialog
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            setAdding(false)
            route(pagePath(`numbers/${added}`))
            setLinking(added)
          }}
        />
      ) : null}
      {toLink ? <LinkDialog id={toLink.id} label={toLink.label} onClose={() => setLinking(null)} /> : null}
    </Page>
  )
}

interface NumberTableProps {
  readonly numbers: ReturnType<typeof useNumbers>['numbers']
  readonly current: string | undefined
  readonly onLink: (id: string) => void
}

function NumberTable({ numbers, current, onLink }: NumberTableProps) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>{t.numbers.number}</th>
            <th>{t.numbers.state}</th>
            <th>{t.numbers.linkedAs}</th>
            <th class="end">{t.numbers.waiting}</th>
            <th>
              <span class="unseen">{t.ui.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {numbers.map((number) => (
            <tr key={number.id} aria-current={number.id === current ? 'true' : undefined}>
              <td>
                <a class="row-link" href={pagePath(`numbers/${number.id}`)} dir="auto">
                  {number.label}
                </a>{' '}
                {number.isDefault ? <span class="tag">{t.numbers.isDefault}</span> : null}
              </td>
              <td>
                <Status of={shownState(number)} />
              </td>
              <td>
                {number.phoneNumber ? (
                  <Phone of={number.phoneNumber} />
                ) : (
                  <span class="muted">{t.numbers.neverLinked}</span>
                )}
              </td>
              <td class="end num">{digits(number.waiting)}</td>
              <td class="actions-cell">
                {number.status === 'SCAN_QR_CODE' ? (
                  <button type="button" class="btn" onClick={() => onLink(number.id)}>
                    <QrCode size={15} aria-hidden />
                    {t.numbers.link}
                  </button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface AddDialogProps {
  readonly onClose: () => void
  readonly onAdded: (id: string) => void
}

function AddDialog({ onClose, onAdded }: AddDialogProps) {
  const action = useAction(
    async ({ label = '' }: Values) => {
      const { session } = await api.numbers.create({ label })
      refresh('numbers')
      onAdded(session.id)
    },
    { quiet: true },
  )
  return (
    <Dialog title={t.numbers.add} size="small" onClose={onClose}>
      <div class="dialog-body">
        <Form action={action} submit={t.numbers.addAndLink} onCancel={onClose}>
          <TextField
            label={t.numbers.name}
            name="label"
            maxLength={100}
            placeholder={t.numbers.namePlaceholder}
            dir="auto"
            autofocus
          />
        </Form>
      </div>
    </Dialog>
  )
}
