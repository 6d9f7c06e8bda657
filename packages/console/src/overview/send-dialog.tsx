import { useLocation } from 'preact-iso/router'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Form, TextArea, TextField, type Values } from '../ui/form.tsx'
import { toast } from '../ui/toast.tsx'
import { t } from '../words/index.ts'

interface SendDialogProps {
  readonly onClose: () => void
  /** The recipient to begin with. */
  readonly phone?: string
}

/** Sends one message, and leads to it. */
export function SendDialog({ onClose, phone }: SendDialogProps) {
  const overview = useOverview()
  const { route } = useLocation()
  const action = useAction(
    async (values: Values) => {
      const { messageId } = await api.alert.send({
        phone: values.phone ?? '',
        message: values.message ?? '',
        ...(values.containerId ? { containerId: values.containerId } : {}),
        ...(values.high ? { priority: 'high' } : {}),
      })
      toast(t.sendBox.queued)
      onClose()
      route(pagePath(`messages/${messageId}`))
    },
    { quiet: true, stale: ['messages', 'queue'] },
  )
  const numbers = overview?.numbers ?? []
  return (
    <Dialog title={t.sendBox.title} onClose={onClose}>
      <div class="dialog-body">
        <Form action={action} submit={t.sendBox.send} onCancel={onClose}>
          <div class="fields">
            <TextField
              label={t.sendBox.to}
              name="phone"
              type="tel"
              value={phone}
              hint={t.sendBox.toHint}
              autocomplete="off"
              autofocus
            />
            <Choice
              label={t.sendBox.from}
              name="containerId"
              options={[
                ['', t.sendBox.byDefault],
                ...numbers.map(({ containerId, label }) => [containerId, label] as const),
              ]}
            />
          </div>
          <TextArea label={t.sendBox.text} name="message" maxLength={4096} />
          <label class="check">
            <input type="checkbox" name="high" value="yes" />
            <span>{t.sendBox.high}</span>
          </label>
        </Form>
      </div>
    </Dialog>
  )
}
