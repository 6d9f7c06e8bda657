import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import type { Part } from './bar.tsx'

/** One column of a chart. */
export interface Column {
  readonly key: string
  readonly label: string
  readonly parts: readonly Part[]
}

function sumOf(column: Column): number {
  return column.parts.reduce((sum, [, count]) => sum + count, 0)
}

/** Returns a round number that is at least `value`, for the top of an axis. */
function roundUp(value: number): number {
  if (value <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 10].find((step) => step * power >= value) ?? 10) * power
}

/** Few columns do not become wider than this, in pixels. */
const widest = 48
const space = { start: 36, top: 8, bottom: 20 }

interface BarsProps {
  readonly label: string
  readonly columns: readonly Column[]
  readonly height?: number
  /** Every how many columns has its label. */
  readonly every?: number
}

/** Returns the width of an element in pixels, which texts in an image need to keep their size. */
function useWidth() {
  const element = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(720)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width))
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return { element, width }
}

/** Stacked columns as an image, with the same figures as a table for screen readers. */
export function Bars({ label, columns, height = 160, every = 4 }: BarsProps) {
  const { element, width } = useWidth()
  const top = roundUp(Math.max(0, ...columns.map(sumOf)))
  const plot = height - space.top - space.bottom
  const step = (width - space.start) / Math.max(1, columns.length)
  const barWidth = Math.min(widest, step * 0.72)
  const y = (value: number) => space.top + plot - (plot * value) / top
  return (
    <figure class="bars" ref={element}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        <title>{label}</title>
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line x1={space.start} x2={width} y1={y(value)} y2={y(value)} />
            <text x={space.start - 8} y={y(value) + 4} text-anchor="end">
              {number(value)}
            </text>
          </g>
        ))}
        {columns.map((column, index) => {
          let below = 0
          const x = space.start + index * step + (step - barWidth) / 2
          return (
            <g key={column.key}>
              {column.parts.map(([name, count]) => {
                if (count === 0) return null
                below += count
                return (
                  <rect
                    key={name}
                    class={`fill-${name}`}
                    x={x}
                    y={y(below)}
                    width={barWidth}
                    height={Math.max(1, (plot * count) / top)}
                    rx={Math.min(2, step / 8)}
                  />
                )
              })}
              {index % (width < 480 ? every * 2 : every) === 0 ? (
                <text x={x + barWidth / 2} y={height - 4} text-anchor="middle">
                  {column.label}
                </text>
              ) : null}
            </g>
          )
        })}
      </svg>
      <BarsTable label={label} columns={columns} />
    </figure>
  )
}

function BarsTable({ label, columns }: Pick<BarsProps, 'label' | 'columns'>) {
  const names = columns[0]?.parts.map(([name]) => name) ?? []
  return (
    <div class="unseen">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t.ui.time}</th>
            {names.map((name) => (
              <th key={name} scope="col">
                {t.status[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns
            .filter((column) => sumOf(column) > 0)
            .map((column) => (
              <tr key={column.key}>
                <th scope="row">{column.label}</th>
                {column.parts.map(([name, count]) => (
                  <td key={name}>{number(count)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}
