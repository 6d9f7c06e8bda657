import type { ComponentChildren } from 'preact'

interface CodeProps {
  readonly label: string
  readonly children: ComponentChildren
}

/** A block of code or JSON, which scrolls within its height. */
export function Code({ label, children }: CodeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="json" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
