import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { Legend, type Part } from '../ui/bar.tsx'
import { Bars } from '../ui/bars.tsx'
import { Filters } from '../ui/filters.tsx'
import { Card } from '../ui/layout.tsx'
import { LoadState } from '../ui/problem.tsx'
import { dayOf, share } from '../words/format.ts'
import { t } from '../words/index.ts'

const spans = ['7', '31'] as const
const names = ['verified', 'expired', 'failed', 'limited'] as const

/** What became of the codes of the last days. */
export function CodeDays() {
  const [span, setSpan] = useState<(typeof spans)[number]>('7')
  const counted = useQuery({
    queryKey: ['messages', 'code-days', span],
    placeholderData: keepPreviousData,
    queryFn: () => api.otp.stats({ days: Number(span) }),
  })
  const days = counted.data?.days ?? []
  const sum = (name: 'sent' | (typeof names)[number]) => days.reduce((total, day) => total + day[name], 0)
  const parts = names.map((name): Part => [name, sum(name)])
  return (
    <Card
      title={t.codes.byDay}
      aside={
        <Filters
          label={t.codes.span}
          value={span}
          options={spans.map((each) => [each, t.codes.spans[each]] as const)}
          onChange={setSpan}
        />
      }
    >
      <LoadState of={counted} />
      {counted.isSuccess ? (
        <div class="pad stack tight">
          <p class="small muted num">
            {t.codes.daysOf(sum('sent'))}
            {sum('sent') > 0 ? ` · ${t.codes.ofSent(share(sum('verified'), sum('sent')))}` : ''}
          </p>
          <Bars
            label={t.codes.byDay}
            every={span === '7' ? 1 : 5}
            columns={days.map((day) => ({
              key: day.day,
              // The middle of the UTC day is the same date nearly everywhere.
              label: dayOf(`${day.day}T12:00:00.000Z`),
              parts: names.map((name): Part => [name, day[name]]),
            }))}
          />
          <Legend parts={parts} />
        </div>
      ) : null}
    </Card>
  )
}
