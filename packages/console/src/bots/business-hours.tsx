import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { t } from '../words/index.ts'
import { locale } from '../words/language.ts'
import type { AssistantProps } from './assistant.tsx'
import { splitWords } from './split-words.ts'
import { words } from './words.ts'

const days = [1, 2, 3, 4, 5, 6, 7] as const
const dayNames = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })

/** Returns the name of a day of the week; 1 is Monday. 1 January 2024 was one. */
function dayName(day: number): string {
  return dayNames.format(Date.UTC(2024, 0, day))
}

interface Period {
  readonly day: number
  readonly from: string
  readonly to: string
}

/** Reads spans of a day, such as `09:00-12:00, 13:00-17:30`. A span without an end is refused by the service. */
function periodsOf(day: number, text: string): Period[] {
  return splitWords(text).map((span) => {
    const [from = '', to = ''] = span.split(/[-–]/).map((time) => time.trim())
    return { day, from, to }
  })
}

/** When people are there, as one line of spans for each day. */
export function BusinessHours({ bot }: AssistantProps) {
  const { hours } = bot
  const [isOpen, setOpen] = useState(hours === null)
  const save = useAction(
    (values: Values) => {
      const value = isOpen
        ? null
        : {
            timeZone: values.timeZone ?? '',
            week: days.flatMap((day) => periodsOf(day, values[`day-${day}`] ?? '')),
            closed: splitWords(values.closed),
          }
      return admin.bots.update({ botId: bot.id, hours: value })
    },
    { stale: ['bots'], done: t.ui.saved, quiet: true },
  )
  return (
    <details class="card fold">
      <summary>
        <span class="grow">{words.hours}</span>
        <span class="small muted">{hours === null ? words.alwaysOpen : hours.timeZone}</span>
      </summary>
      <div class="pad">
        <Form action={save} submit={t.ui.save}>
          <label class="check">
            <input type="checkbox" checked={isOpen} onChange={(event) => setOpen(event.currentTarget.checked)} />
            <span>{words.alwaysOpen}</span>
          </label>
          {isOpen ? null : (
            <>
              <TextField
                label={words.timeZone}
                name="timeZone"
                defaultValue={hours?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
                dir="ltr"
              />
              {days.map((day) => (
                <TextField
                  key={day}
                  label={dayName(day)}
                  name={`day-${day}`}
                  defaultValue={(hours?.week ?? [])
                    .filter((period) => period.day === day)
                    .map(({ from, to }) => `${from}-${to}`)
                    .join(', ')}
                  placeholder="09:00-17:30"
                  dir="ltr"
                  optional
                />
              ))}
              <TextField
                label={words.closedDays}
                name="closed"
                defaultValue={(hours?.closed ?? []).join(', ')}
                hint={words.closedHint}
                dir="ltr"
                optional
              />
            </>
          )}
        </Form>
      </div>
    </details>
  )
}
