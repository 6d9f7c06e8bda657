import { useEffect, useState } from 'preact/hooks'
import { exactly, time, when } from '../words/format.ts'

interface WhenProps {
  readonly at: string | null
  readonly seconds?: boolean
}

/** A moment: the time for today, else the day; the exact moment when one points at it. */
export function When({ at, seconds = false }: WhenProps) {
  if (at === null) return <span class="muted">—</span>
  return (
    <time class="num" dateTime={at} title={exactly(at)}>
      {seconds ? time(at, true) : when(at)}
    </time>
  )
}

/** Renders again in this interval, for texts such as "in 4 s". */
export function useEvery(intervalMs: number): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now
}
