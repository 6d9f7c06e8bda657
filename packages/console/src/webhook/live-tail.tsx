import type { EventsStreamOutput } from '@msgctl/client'
import { useEffect, useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { type Failure, failureOf } from '../api/failure.ts'
import { Code } from '../ui/code.tsx'
import { Card } from '../ui/layout.tsx'
import { Problem } from '../ui/problem.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'

const shown = 60

/** Events as they happen, while this is open. */
function useEvents() {
  const [events, setEvents] = useState<readonly EventsStreamOutput[]>([])
  const [count, setCount] = useState(0)
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    const end = new AbortController()
    async function follow(): Promise<void> {
      try {
        for await (const event of api.events.stream({}, { signal: end.signal })) {
          setEvents((before) => [event, ...before].slice(0, shown))
          setCount((before) => before + 1)
        }
      } catch (error) {
        if (!end.signal.aborted) setFailure(failureOf(error))
      }
    }
    void follow()
    return () => end.abort()
  }, [])
  return { events, count, failure }
}

/** The live tail of the event log. */
export function LiveTail() {
  const { events, count, failure } = useEvents()
  return (
    <Card title={t.webhook.live} aside={<span class="small muted num">{t.webhook.liveCount(count)}</span>}>
      {failure ? (
        <div class="pad">
          <Problem failure={failure} />
        </div>
      ) : null}
      {events.length === 0 ? <p class="tail-empty small muted">{t.webhook.liveEmpty}</p> : null}
      <ul class="items tail">
        {events.map((event) => (
          <li key={event.id}>
            <details>
              <summary class="item small">
                <span class="grow mono cut">{event.event}</span>
                <span class="xs muted">
                  <When at={event.timestamp} seconds />
                </span>
              </summary>
              <div class="tail-body">
                <Code label={event.event}>{JSON.stringify(event.data, null, 2)}</Code>
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  )
}
