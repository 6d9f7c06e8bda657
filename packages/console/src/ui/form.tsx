import { type ComponentChildren, createContext, type InputHTMLAttributes, type TextareaHTMLAttributes } from 'preact'
import { useContext, useId } from 'preact/hooks'
import type { Failure } from '../api/failure.ts'
import type { Action } from '../api/use-action.ts'
import { t } from '../words/index.ts'
import { Button } from './button.tsx'
import { Problem } from './problem.tsx'

const failureOfForm = createContext<Failure | null>(null)

/** The fields of a form by name, trimmed. */
export type Values = Readonly<Record<string, string>>

function valuesOf(form: HTMLFormElement): Values {
  const entries = [...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : ''])
  return Object.fromEntries(entries)
}

interface FormProps {
  readonly action: Action<[Values]>
  readonly submit: string
  readonly children: ComponentChildren
  readonly onDone?: () => void
  readonly onCancel?: () => void
  /** What stands beside the buttons. */
  readonly aside?: ComponentChildren
  readonly class?: string
}

/** A form that shows the failure of its action: at the field that it names, else above the buttons. */
export function Form({ action, submit, children, onDone, onCancel, aside, class: name = '' }: FormProps) {
  return (
    <form
      class={`form ${name}`}
      onSubmit={async (event) => {
        event.preventDefault()
        if (await action.run(valuesOf(event.currentTarget))) onDone?.()
      }}
    >
      <failureOfForm.Provider value={action.failure}>{children}</failureOfForm.Provider>
      {action.failure ? <Problem failure={action.failure} /> : null}
      <footer>
        {aside}
        {onCancel ? <Button onClick={onCancel} label={t.ui.cancel} /> : null}
        <button type="submit" class="btn primary" disabled={action.busy}>
          {submit}
        </button>
      </footer>
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly name: string
  readonly hint?: string | undefined
  readonly optional?: boolean
}

interface FrameProps extends FieldProps {
  readonly children: (props: {
    id: string
    'aria-invalid': boolean
    'aria-describedby': string | undefined
  }) => ComponentChildren
}

/** A label with its field, and below it the hint or what is wrong. */
function Frame({ label, name, hint, optional, children }: FrameProps) {
  const id = useId()
  const issue = useContext(failureOfForm)?.issues.find(({ field }) => field === name || field.startsWith(`${name}.`))
  const below = issue?.message ?? hint
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional ? <span class="muted"> {t.ui.optional}</span> : null}
      </label>
      {children({ id, 'aria-invalid': issue !== undefined, 'aria-describedby': below ? `${id}-hint` : undefined })}
      {below ? (
        <p id={`${id}-hint`} class={issue ? 'error' : 'hint'}>
          {below}
        </p>
      ) : null}
    </div>
  )
}

/** A field for one line. */
export function TextField({
  label,
  name,
  hint,
  optional = false,
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Frame label={label} name={name} hint={hint} optional={optional}>
      {(props) => <input class="input" name={name} required={!optional} {...props} {...input} />}
    </Frame>
  )
}

/** A field for several lines. */
export function TextArea({
  label,
  name,
  hint,
  optional = false,
  ...input
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Frame label={label} name={name} hint={hint} optional={optional}>
      {(props) => <textarea class="input" name={name} required={!optional} rows={4} dir="auto" {...props} {...input} />}
    </Frame>
  )
}

interface ChoiceProps extends FieldProps {
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly value?: string | undefined
  readonly onChange?: (value: string) => void
}

/** A field with a list of choices. */
export function Choice({ label, name, hint, options, value, onChange }: ChoiceProps) {
  return (
    <Frame label={label} name={name} hint={hint}>
      {(props) => (
        <select class="input" name={name} {...props} onChange={(event) => onChange?.(event.currentTarget.value)}>
          {options.map(([each, text]) => (
            <option key={each} value={each} selected={each === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Frame>
  )
}
