import type { ComponentChildren } from 'preact'

interface ScrollProps {
  readonly label: string
  readonly children: ComponentChildren
}

/** A table that scrolls sideways in narrow windows and has nothing inside that takes the focus. */
export function Scroll({ label, children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
