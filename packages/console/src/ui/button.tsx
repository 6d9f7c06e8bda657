import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import type { Action } from '../api/use-action.ts'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'label' | 'action'> {
  readonly label: ComponentChildren
  readonly kind?: 'primary' | 'danger'
  /** Runs when it is pressed, and disables it while it runs. */
  readonly action?: Action<[]>
}

/** A button with a text. */
export function Button({ label, kind, action, ...others }: ButtonProps) {
  const run = action && { disabled: action.busy, onClick: () => action.run() }
  return (
    <button type="button" class={kind ? `btn ${kind}` : 'btn'} {...run} {...others}>
      {label}
    </button>
  )
}
