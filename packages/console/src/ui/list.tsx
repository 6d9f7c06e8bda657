import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** What a row of a list shows. */
interface Row {
  readonly key: string
  readonly href: string
  readonly content: ComponentChildren
  readonly current?: boolean
}

/** Rows above and below those in sight that exist as well, so that fast scrolling shows no gaps. */
const spareRows = 8

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

/** Returns the first and the last row to draw, which follow the scrolling of a box. */
function useSight(size: number, count: number) {
  const box = useRef<HTMLDivElement>(null)
  const [[top, height], setSight] = useState<readonly [top: number, height: number]>([0, 800])
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => setSight([element.scrollTop, element.clientHeight])
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  const first = Math.max(0, Math.floor(top / size) - spareRows)
  const last = Math.min(count - 1, Math.ceil((top + height) / size) + spareRows)
  return { box, first, last }
}

/** Rows of one height, of which only those in sight exist. */
export function List<T>({ label, rows, row, size = 44, onEnd, class: name = '' }: ListProps<T>) {
  const { box, first, last } = useSight(size, rows.length)
  useLayoutEffect(() => {
    if (rows.length > 0 && last >= rows.length - 12) onEnd?.()
  }, [last, rows.length])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section ref={box} class={`vlist ${name}`} aria-label={label} tabIndex={0}>
      <ul style={{ blockSize: `${rows.length * size}px` }}>
        {rows.slice(first, last + 1).map((item, index) => {
          const { key, href, content, current = false } = row(item)
          const style = { transform: `translateY(${(first + index) * size}px)`, blockSize: `${size}px` }
          return (
            <li key={key} class="vrow" style={style}>
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
