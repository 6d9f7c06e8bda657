import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../words/index.ts'
import { X } from './marks.ts'
import { Toasts } from './toast.tsx'

interface DialogProps {
  readonly title: string
  /** Called when the dialog closes by any way. */
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly size?: 'small' | 'medium' | 'wide'
  /** Escape and clicks outside of it do not close it, and it has no button to close it. */
  readonly persistent?: boolean
}

/** A modal dialog of the browser, which keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children, size = 'medium', persistent = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes a dialog with Escape.
    <dialog
      ref={dialog}
      class={`dialog ${size}`}
      aria-label={title}
      onClose={onClose}
      onCancel={(event) => {
        if (persistent) event.preventDefault()
      }}
      onClick={(event) => {
        if (!persistent && event.target === dialog.current) dialog.current?.close()
      }}
    >
      <div class="dialog-box">
        <header>
          <h2>{title}</h2>
          {persistent ? null : (
            <button
              type="button"
              class="btn quiet icon"
              aria-label={t.ui.close}
              onClick={() => dialog.current?.close()}
            >
              <X size={16} aria-hidden />
            </button>
          )}
        </header>
        {children}
      </div>
      <Toasts />
    </dialog>
  )
}
