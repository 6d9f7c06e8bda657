import type { NumberRecord, NumbersStatusOutput } from '@msgctl/client'
import { useQuery } from '@tanstack/preact-query'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { type NumberNow, shownState } from '../api/overview.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { useMayManage } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Card, Facts } from '../ui/layout.tsx'
import { ChevronLeft, QrCode } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { When } from '../ui/when.tsx'
import { dayAndTime, span } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number as digits, number } from '../words/plural.ts'
import { HeldMessages } from './held-messages.tsx'
import { NumberKey } from './number-key.tsx'
import { NumberMenu } from './number-menu.tsx'
import { NumberProfile } from './number-profile.tsx'
import { StateStrip } from './state-strip.tsx'

type GuardState = NonNullable<NumbersStatusOutput['guard']>

function allowance({ used, allowed }: GuardState['lastHour']): string {
  const words = t.numberDetail
  return allowed === null ? words.noLimit(number(used)) : words.ofAllowed(number(used), number(allowed))
}

/** The rules that protect a number from being banned, and how much of them is used. */
function Guard({ guard }: { readonly guard: GuardState }) {
  const words = t.numberDetail
  return (
    <Card title={words.guard}>
      <div class="pad">
        <p class="small muted">{words.guardHint}</p>
        <Facts
          facts={[
            [words.daysLinked, words.days(guard.daysLinked)],
            [words.newConversations, allowance(guard.newConversations)],
            [words.lastHour, allowance(guard.lastHour)],
            [words.lastDay, allowance(guard.lastDay)],
            [words.heldByRules, number(guard.held)],
          ]}
        />
      </div>
    </Card>
  )
}

/** A number with what the overview adds. */
type ShownNumber = NumberRecord & Pick<NumberNow, 'restrictedUntil'>

interface NumberDetailProps {
  readonly number: ShownNumber
  readonly onLink: () => void
}

const stale = ['numbers', 'number']

/** One number: what it needs, how it has been, and everything that can be done to it. */
export function NumberDetail({ number, onLink }: NumberDetailProps) {
  const { id, label } = number
  const overview = useOverview()
  const mayManage = useMayManage()
  const status = useQuery({ queryKey: ['number', id], queryFn: () => api.numbers.status({ containerId: id }) })
  const held = overview?.numbers.find(({ containerId }) => containerId === id)
  return (
    <div class="stack">
      <Card
        title={
          <span class="row">
            <a class="btn quiet icon only-narrow" href={pagePath('numbers')} aria-label={t.ui.backTo(t.nav.numbers)}>
              <ChevronLeft size={16} class="flip" aria-hidden />
            </a>
            <span dir="auto">{label}</span>
          </span>
        }
        aside={<Status of={shownState(number)} />}
      >
        <LoadState of={status} />
        {status.data ? (
          <div class="pad stack">
            <NextStep number={number} status={status.data} onLink={onLink} />
            {held?.queueHeld ? <HeldMessages id={id} count={held.heldMessages} /> : null}
            <Health number={number} status={status.data} />
          </div>
        ) : null}
      </Card>
      {status.data?.guard ? <Guard guard={status.data.guard} /> : null}
      <History id={id} />
      {number.status === 'WORKING' ? <NumberProfile id={id} /> : null}
      {mayManage ? <NumberKey number={number} /> : null}
      {mayManage ? <NumberMenu number={number} canLogOut={status.data?.action.canLogout ?? false} /> : null}
    </div>
  )
}

interface StatusProps {
  readonly number: ShownNumber
  readonly status: NumbersStatusOutput
}

/** The sentence of what to do, with its one button. */
function NextStep({ number, status, onLink }: StatusProps & { readonly onLink: () => void }) {
  const containerId = number.id
  const start = useAction(() => api.numbers.start({ containerId }), { stale })
  const reconnect = useAction(() => api.numbers.reconnect({ containerId }), { stale })
  const { type, message } = status.action
  return (
    <div class="stack tight">
      <p dir="auto">{message}</p>
      {status.reasonMessage && status.reasonMessage !== message ? (
        <p class="small muted" dir="auto">
          {status.reasonMessage}
        </p>
      ) : null}
      {status.networkWarning && status.networkWarning !== message ? (
        <p class="small is-held">{status.networkWarning}</p>
      ) : null}
      {status.manager.lastError ? (
        <p class="error" dir="auto">
          {status.manager.lastError}
        </p>
      ) : null}
      <p class="row wrap">
        {type === 'scan_qr' ? (
          <button type="button" class="btn primary" onClick={onLink}>
            <QrCode size={15} aria-hidden />
            {t.numberDetail.linkIt}
          </button>
        ) : null}
        {type === 'start' ? <Button kind="primary" action={start} label={t.numberDetail.start} /> : null}
        {type === 'reconnect' ? <Button kind="primary" action={reconnect} label={t.numberDetail.reconnect} /> : null}
      </p>
    </div>
  )
}

function Health({ number, status }: StatusProps) {
  const now = Date.parse(useOverview()?.at ?? '') || Date.now()
  const uptime = (since: string) => span(Math.max(0, now - Date.parse(since)))
  const { manager } = status
  const words = t.numberDetail
  return (
    <Facts
      facts={[
        number.restrictedUntil ? [words.restrictedUntil, dayAndTime(number.restrictedUntil)] : null,
        [words.connectedFor, status.connected && manager.connectedSince ? uptime(manager.connectedSince) : '—'],
        [words.lastHealthy, <When key="healthy" at={manager.lastHealthy} />],
        [words.reconnections, words.ofQuick(digits(manager.retryCount), digits(manager.maxRetries))],
        [words.wentDown, words.wentDownTimes(manager.totalFailures, manager.totalRecoveries)],
        [words.queue, manager.queuesPaused ? words.queueWaits : words.queueLeaves],
        [words.engine, status.engine],
        [words.id, <Copyable key="id" text={number.id} label={`${number.id.slice(0, 8)}…`} />],
      ]}
    />
  )
}

const shownChanges = 12

function History({ id }: { readonly id: string }) {
  const history = useQuery({
    queryKey: ['number', id, 'history'],
    queryFn: () => api.numbers.history({ containerId: id, limit: 100 }),
  })
  const overview = useOverview()
  const changes = history.data?.history ?? []
  return (
    <Card title={t.numberDetail.history}>
      <div class="pad stack">
        <StateStrip changes={changes} now={Date.parse(overview?.at ?? '') || Date.now()} />
        {history.isSuccess && changes.length === 0 ? <p class="muted">{t.numberDetail.noHistory}</p> : null}
        <ol class="steps">
          {changes.slice(0, shownChanges).map(({ at, to, message, source }) => (
            <li key={`${at}${to}`} class="step">
              <Status of={to} bare />
              <span class="break">
                {t.status[to]} <span class="small muted">{t.numberDetail.sources[source]}</span>
                {message ? (
                  <span class="block small muted" dir="auto">
                    {message}
                  </span>
                ) : null}
              </span>
              <span class="xs muted">
                <When at={at} />
              </span>
            </li>
          ))}
        </ol>
      </div>
    </Card>
  )
}
