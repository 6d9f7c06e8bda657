import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** What a row of a list shows. */
interface Row {
  readonly key: string
  readonly href: string
  readonly content: ComponentChildren
  readonly current?: boolean
}

interface ListProps<T> {
  readonly label: string
  readonly rows: readonly T[]
  readonly row: (item: T) => Row
  /** The height of every row in pixels. */
  readonly size?: number
  /** Called when the last rows come into sight. */
  readonly onEnd?: () => void
  readonly class?: string
}

/** Rows of one height, of which only those in sight exist. */
export function List<T>({ label, rows, row, size = 44, onEnd, class: name = '' }: ListProps<T>) {
  const box = useRef<HTMLDivElement>(null)
  const [, render] = useState({})
  const [virtualizer] = useState(
    () =>
      new Virtualizer<HTMLDivElement, HTMLAnchorElement>({
        count: 0,
        getScrollElement: () => box.current,
        estimateSize: () => size,
        overscan: 8,
        initialRect: { width: 800, height: 800 },
        scrollToFn: elementScroll,
        observeElementRect,
        observeElementOffset,
        onChange: () => render({}),
      }),
  )
  virtualizer.setOptions({ ...virtualizer.options, count: rows.length })
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useLayoutEffect(() => {
    if (rows.length > 0 && last >= rows.length - 12) onEnd?.()
  }, [last, rows.length])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section ref={box} class={`vlist ${name}`} aria-label={label} tabIndex={0}>
      <ul style={{ blockSize: `${virtualizer.getTotalSize()}px` }}>
        {items.map(({ index, start }) => {
          const item = rows[index]
          if (item === undefined) return null
          const { key, href, content, current = false } = row(item)
          return (
            <li key={key} class="vrow" style={{ transform: `translateY(${start}px)`, blockSize: `${size}px` }}>
              <a href={href} aria-current={current ? 'true' : undefined}>
                {content}
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
