import type { Message, MessagesGetOutput } from '@msgctl/client'
import { useQuery } from '@tanstack/preact-query'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { pagePath } from '../api/place.ts'
import { Phone } from '../ui/contact.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Facts } from '../ui/layout.tsx'
import { ChevronLeft, CircleAlert, CirclePause } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { MessageActions } from './message-actions.tsx'
import { Timeline } from './timeline.tsx'

/** One message: what happened to it and why, and what can still be done. */
export function Inspector({ id, back }: { readonly id: string; readonly back: string }) {
  const found = useQuery({ queryKey: ['message', id], queryFn: () => api.messages.get({ id }) })
  return (
    <section class="card inspector" aria-label={t.message.label}>
      <header>
        <span class="row">
          <a class="btn quiet icon only-narrow" href={back} aria-label={t.message.back}>
            <ChevronLeft size={16} class="flip" aria-hidden />
          </a>
          {found.data ? <Phone of={found.data.message.recipient} /> : null}
        </span>
        {found.data ? <Status of={found.data.message.held ? 'held' : found.data.message.status} /> : null}
      </header>
      <LoadState of={found} />
      {found.data ? <Content found={found.data} /> : null}
    </section>
  )
}

function Content({ found }: { readonly found: MessagesGetOutput }) {
  const { message, timeline } = found
  return (
    <div class="pad stack">
      <Reason message={message} />
      <Wait found={found} />
      <div class="bubbles framed">
        <p class="bubble mine" dir="auto">
          {message.content}
        </p>
      </div>
      <Timeline steps={timeline} />
      <MessageActions message={message} />
      <MessageFacts message={message} />
    </div>
  )
}

/** Why a message failed, or is held. */
function Reason({ message }: { readonly message: Message }) {
  const { errorCode, error, held } = message
  if (held)
    return (
      <p class="note held">
        <CirclePause size={16} aria-hidden />
        <span>{held.message}</span>
      </p>
    )
  if (errorCode === null) return null
  return (
    <div class="problem">
      <CircleAlert size={16} aria-hidden />
      <div>
        <p>{t.errorCodes[errorCode] ?? error}</p>
        <p class="small muted">
          <code>{errorCode}</code>
          {error && error !== t.errorCodes[errorCode] ? (
            <>
              {' · '}
              <bdi>{error}</bdi>
            </>
          ) : null}
        </p>
      </div>
    </div>
  )
}

/** Why a queued message has not left yet. */
function Wait({ found: { queue, message } }: { readonly found: MessagesGetOutput }) {
  if (!queue || message.status !== 'queued' || message.held) return null
  const words = t.message
  if (queue.isHeld) return <p class="note held">{words.waitsForRelease}</p>
  if (queue.numberStatus !== 'WORKING') return <p class="note held">{words.waitsForNumber}</p>
  const isDue = queue.nextAttemptAt === null || Date.parse(queue.nextAttemptAt) <= Date.now()
  return (
    <p class="note">
      <span>
        {queue.ahead > 0 ? `${words.ahead(queue.ahead)}. ` : ''}
        {words.leaves(isDue ? words.leavesNow : dayAndTime(queue.nextAttemptAt ?? ''))}
      </span>
    </p>
  )
}

function MessageFacts({ message }: { readonly message: Message }) {
  const overview = useOverview()
  const words = t.message
  const label = overview?.numbers.find(({ containerId }) => containerId === message.containerId)?.label
  return (
    <Facts
      facts={[
        message.containerId
          ? [
              words.number,
              <a key="number" class="link" href={pagePath(`numbers/${message.containerId}`)} dir="auto">
                {label ?? message.containerId.slice(0, 8)}
              </a>,
            ]
          : null,
        message.campaignId
          ? [
              words.campaign,
              <a key="campaign" class="link" href={pagePath(`campaigns/${message.campaignId}`)}>
                {words.openCampaign}
              </a>,
            ]
          : null,
        message.sentBy ? [words.sentBy, words.senders[message.sentBy]] : null,
        [words.priority, words.priorities[message.priority]],
        [words.attempts, number(message.attempts)],
        message.clientReference ? [words.reference, <Copyable key="reference" text={message.clientReference} />] : null,
        [words.id, <Copyable key="id" text={message.id} />],
        message.gatewayMessageId ? [words.networkId, <Copyable key="network" text={message.gatewayMessageId} />] : null,
        [
          words.recipient,
          <a key="all" class="link" href={pagePath(`messages?search=${encodeURIComponent(message.recipient)}`)}>
            {words.allMessages}
          </a>,
        ],
      ]}
    />
  )
}
