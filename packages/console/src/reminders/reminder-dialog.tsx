import type { Reminder } from '@msgctl/client'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { useAction } from '../api/use-action.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Form, TextArea, TextField, type Values } from '../ui/form.tsx'
import { t } from '../words/index.ts'
import { changeOf, inputOf, refusedAs, repeats } from './input.ts'

const minuteMs = 60_000

/** Returns a moment as a `datetime-local` field takes it, in the time of this browser. */
function toLocalInput(at: string): string {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
}

interface ReminderDialogProps {
  /** The reminder to change; null for a new one. */
  readonly reminder: Reminder | null
  readonly onClose: () => void
}

/** Sets or changes a reminder. Times are those of this browser. */
export function ReminderDialog({ reminder, onClose }: ReminderDialogProps) {
  const words = t.reminders
  const overview = useOverview()
  const save = useAction(
    (values: Values) =>
      (reminder ? api.reminders.update(changeOf(values, reminder)) : api.reminders.create(inputOf(values))).catch(
        refusedAs(words.noValue),
      ),
    { stale: ['reminders'], done: t.reminders.created, quiet: true },
  )
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  return (
    <Dialog title={reminder ? words.edit : words.create} onClose={onClose}>
      <div class="dialog-body">
        <Form action={save} submit={t.ui.save} onDone={onClose} onCancel={onClose}>
          <div class="fields">
            <TextField
              label={words.to}
              name="phone"
              type="tel"
              defaultValue={reminder ? `+${reminder.phone}` : ''}
              hint={t.sendBox.toHint}
              autofocus
            />
            <TextField
              label={words.label}
              name="label"
              maxLength={255}
              defaultValue={reminder?.label ?? ''}
              hint={words.labelHint}
              optional
            />
          </div>
          <TextArea label={words.text} name="message" maxLength={4096} defaultValue={reminder?.message} />
          <div class="fields">
            <TextField
              label={words.sendAt}
              name="sendAt"
              type="datetime-local"
              defaultValue={toLocalInput(reminder?.sendAt ?? inAnHour)}
              hint={words.zoneNote(zone)}
            />
            <Choice
              label={words.repeat}
              name="repeat"
              value={reminder?.repeat ?? 'none'}
              options={repeats.map((each) => [each, words.repeats[each]])}
            />
            <Choice
              label={t.sendBox.from}
              name="containerId"
              value={reminder?.containerId ?? ''}
              options={[
                ['', t.sendBox.byDefault],
                ...(overview?.numbers ?? []).map(({ containerId, label }) => [containerId, label] as const),
              ]}
            />
          </div>
        </Form>
      </div>
    </Dialog>
  )
}
