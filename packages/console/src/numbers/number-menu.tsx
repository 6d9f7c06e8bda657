import type { NumberRecord } from '@msgctl/client'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api, refresh } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { t } from '../words/index.ts'

interface NumberMenuProps {
  readonly number: NumberRecord
  readonly canLogOut: boolean
}

const stale = ['numbers', 'number']

/** What is rarely done to a number: rename, stop, unlink, remove. */
export function NumberMenu({ number, canLogOut }: NumberMenuProps) {
  const { route } = useLocation()
  const [open, setOpen] = useState<'rename' | 'log-out' | 'remove' | null>(null)
  const { id: containerId, label } = number
  const words = t.numberDetail
  const stop = useAction(() => api.numbers.stop({ containerId }), { stale })
  const makeDefault = useAction(() => api.numbers.update({ containerId, isDefault: true }), { stale })
  const logOut = useAction(() => api.numbers.logout({ containerId }), { stale })
  const remove = useAction(async () => {
    await api.numbers.delete({ containerId })
    refresh(...stale)
    route(pagePath('numbers'))
  })
  const close = () => setOpen(null)
  return (
    <div class="row wrap">
      {number.isDefault ? null : <Button action={makeDefault} label={words.makeDefault} />}
      <Button onClick={() => setOpen('rename')} label={words.rename} />
      {number.status === 'STOPPED' ? null : <Button action={stop} label={words.stop} />}
      {canLogOut ? <Button kind="danger" onClick={() => setOpen('log-out')} label={words.logOut} /> : null}
      <Button kind="danger" onClick={() => setOpen('remove')} label={words.remove} />
      {open === 'rename' ? <RenameDialog number={number} onClose={close} /> : null}
      {open === 'log-out' ? (
        <Confirm title={words.logOutTitle(label)} act={words.logOut} action={logOut} onClose={close}>
          <p>{words.logOutHint}</p>
        </Confirm>
      ) : null}
      {open === 'remove' ? (
        <Confirm title={words.removeTitle(label)} act={words.remove} action={remove} onClose={close} type={label}>
          <p>{words.removeHint}</p>
        </Confirm>
      ) : null}
    </div>
  )
}

function RenameDialog({ number, onClose }: { readonly number: NumberRecord; readonly onClose: () => void }) {
  const rename = useAction(({ label = '' }: Values) => api.numbers.update({ containerId: number.id, label }), {
    stale,
    quiet: true,
  })
  return (
    <Dialog title={t.numberDetail.rename} size="small" onClose={onClose}>
      <div class="dialog-body">
        <Form action={rename} submit={t.ui.save} onDone={onClose} onCancel={onClose}>
          <TextField
            label={t.numbers.name}
            name="label"
            maxLength={100}
            defaultValue={number.label}
            dir="auto"
            autofocus
          />
        </Form>
      </div>
    </Dialog>
  )
}
