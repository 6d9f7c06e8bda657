import type { Message } from '@msgctl/client'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextArea, TextField, type Values } from '../ui/form.tsx'
import { toast } from '../ui/toast.tsx'
import { t } from '../words/index.ts'

const stale = ['messages', 'message', 'queue']

/** What can be done to a message in its present state. */
export function MessageActions({ message }: { readonly message: Message }) {
  const { id: messageId, status, type, recipient, content } = message
  const { route } = useLocation()
  const [open, setOpen] = useState<'edit' | 'delete' | 'forward' | null>(null)
  const words = t.message
  const takeBack = useAction(() => api.alert.cancel({ messageId }), { stale, done: words.taken })
  const remove = useAction(() => api.alert.delete({ messageId }), { stale })
  const again = useAction(
    async () => {
      const sent = await api.alert.send({ phone: recipient, message: content })
      toast(words.sentAgain)
      route(pagePath(`messages/${sent.messageId}`))
    },
    { stale },
  )
  const wasSent = status === 'sent' || status === 'delivered' || status === 'read'
  const close = () => setOpen(null)
  if (status === 'sending') return null
  return (
    <div class="row wrap">
      {status === 'queued' ? <Button action={takeBack} label={words.takeBack} /> : null}
      {wasSent && type !== 'otp' ? (
        <>
          <Button onClick={() => setOpen('forward')} label={words.forward} />
          <Button onClick={() => setOpen('edit')} label={words.edit} />
          <Button kind="danger" onClick={() => setOpen('delete')} label={words.delete} />
        </>
      ) : null}
      {status === 'failed' && type === 'alert' ? <Button action={again} label={words.sendAgain} /> : null}
      {open === 'edit' ? <EditDialog message={message} onClose={close} /> : null}
      {open === 'forward' ? <ForwardDialog messageId={messageId} onClose={close} /> : null}
      {open === 'delete' ? (
        <Confirm title={words.deleteTitle} act={words.delete} action={remove} onClose={close}>
          <p>{words.deleteHint}</p>
        </Confirm>
      ) : null}
    </div>
  )
}

function EditDialog({ message, onClose }: { readonly message: Message; readonly onClose: () => void }) {
  const edit = useAction(({ text = '' }: Values) => api.alert.edit({ messageId: message.id, message: text }), {
    stale,
    quiet: true,
  })
  return (
    <Dialog title={t.message.edit} onClose={onClose}>
      <div class="dialog-body">
        <Form action={edit} submit={t.ui.save} onDone={onClose} onCancel={onClose}>
          <TextArea label={t.messages.text} name="text" maxLength={4096} defaultValue={message.content} autofocus />
        </Form>
      </div>
    </Dialog>
  )
}

function ForwardDialog({ messageId, onClose }: { readonly messageId: string; readonly onClose: () => void }) {
  const forward = useAction(({ phone = '' }: Values) => api.alert.forward({ messageId, phone }), {
    stale,
    done: t.message.forwarded,
    quiet: true,
  })
  return (
    <Dialog title={t.message.forward} size="small" onClose={onClose}>
      <div class="dialog-body">
        <Form action={forward} submit={t.message.forward} onDone={onClose} onCancel={onClose}>
          <TextField label={t.sendBox.to} name="phone" type="tel" hint={t.sendBox.toHint} autofocus />
        </Form>
      </div>
    </Dialog>
  )
}
