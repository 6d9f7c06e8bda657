import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Action } from '../api/use-action.ts'
import { t } from '../words/index.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmProps {
  readonly title: string
  readonly children: ComponentChildren
  /** The word on the button. */
  readonly act: string
  readonly action: Action<[]>
  readonly onClose: () => void
  /** A text that must be typed first, for what cannot be taken back. */
  readonly type?: string
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, children, act, action, onClose, type }: ConfirmProps) {
  const [typed, setTyped] = useState('')
  return (
    <Dialog title={title} size="small" onClose={onClose}>
      <form
        class="dialog-body"
        onSubmit={async (event) => {
          event.preventDefault()
          if (await action.run()) onClose()
        }}
      >
        <div class="stack tight">{children}</div>
        {type === undefined ? null : (
          <label class="field">
            <span>{t.ui.typeToConfirm(type)}</span>
            <input
              class="input"
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
              autocomplete="off"
            />
          </label>
        )}
        <footer>
          <Button onClick={onClose} label={t.ui.cancel} />
          <button
            type="submit"
            class="btn danger-fill"
            disabled={action.busy || (type !== undefined && typed.trim() !== type)}
          >
            {act}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
