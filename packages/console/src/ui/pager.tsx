import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { ChevronLeft, ChevronRight } from './marks.ts'

interface PagerProps {
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly onChange: (page: number) => void
}

/** Leads through the pages of a list; absent when there is only one. */
export function Pager({ page, limit, total, onChange }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / limit))
  if (pages === 1) return null
  return (
    <nav class="pager" aria-label={t.ui.pages}>
      <span class="small muted num">
        {t.ui.range(number((page - 1) * limit + 1), number(Math.min(total, page * limit)), number(total))}
      </span>
      <button
        type="button"
        class="btn icon"
        aria-label={t.ui.previous}
        disabled={page <= 1}
        onClick={() => onChange(page - 1)}
      >
        <ChevronLeft size={16} class="flip" aria-hidden />
      </button>
      <button
        type="button"
        class="btn icon"
        aria-label={t.ui.next}
        disabled={page >= pages}
        onClick={() => onChange(page + 1)}
      >
        <ChevronRight size={16} class="flip" aria-hidden />
      </button>
    </nav>
  )
}
