import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import type { Overview } from '../api/overview.ts'
import { apiUrl, pagePath, servicePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { useSession } from '../session/session.ts'
import { Handset } from '../simulator/handset.tsx'
import { ScanCard } from '../simulator/scan-card.tsx'
import { Code } from '../ui/code.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { Page } from '../ui/layout.tsx'
import { ArrowRight, Check } from '../ui/marks.ts'
import { Status } from '../ui/status.tsx'
import { t } from '../words/index.ts'

/** The contact of the simulated network that reads everything. */
const anna = '12025550100'

interface FirstRunProps {
  readonly overview: Overview
  readonly onSkip: () => void
}

/** The first five minutes: link, send, watch it arrive, reply, call it from code. Each step notices when it is done. */
export function FirstRun({ overview, onSkip }: FirstRunProps) {
  const session = useSession()
  const isSimulated = session?.simulator ?? false
  const [messageId, setMessageId] = useState<string | null>(null)
  return (
    <Page
      title={t.firstRun.title}
      actions={
        <button type="button" class="btn quiet" onClick={onSkip}>
          {t.firstRun.skip}
          <ArrowRight size={14} class="flip" aria-hidden />
        </button>
      }
    >
      <div class={isSimulated ? 'first-run' : undefined}>
        <ol class="card tasks" aria-label={t.firstRun.steps}>
          <NumberTask overview={overview} isSimulated={isSimulated} />
          <WriteTask isSimulated={isSimulated} isDone={messageId !== null} onSent={setMessageId} />
          <WatchTask messageId={messageId} />
          <ReplyTask isDone={(overview.unread ?? 0) > 0} />
          <CodeTask />
        </ol>
        {isSimulated ? <Handset phone={anna} /> : null}
      </div>
    </Page>
  )
}

interface TaskProps {
  readonly step: number
  readonly isDone: boolean
  readonly title: string
  readonly children: ComponentChildren
}

function Task({ step, isDone, title, children }: TaskProps) {
  return (
    <li class="task" data-done={isDone}>
      <i>{isDone ? <Check size={14} role="img" aria-label={t.status.done} /> : step}</i>
      <div class="stack tight">
        <h2>{title}</h2>
        {children}
      </div>
    </li>
  )
}

function NumberTask({ overview, isSimulated }: { readonly overview: Overview; readonly isSimulated: boolean }) {
  const working = overview.numbers.find(({ status }) => status === 'WORKING')
  const waiting = overview.numbers.filter(({ status }) => status === 'SCAN_QR_CODE')
  return (
    <Task step={1} isDone={working !== undefined} title={t.firstRun.number}>
      {working ? (
        <p class="small muted">{t.firstRun.numberDone(working.label)}</p>
      ) : (
        <>
          {isSimulated
            ? waiting.map(({ containerId, label }) => <ScanCard key={containerId} id={containerId} label={label} />)
            : null}
          <p class="small muted">{t.firstRun.numberAdd}</p>
          <p>
            <a class="btn" href={pagePath('numbers')}>
              {t.home.addNumber}
            </a>
          </p>
        </>
      )}
    </Task>
  )
}

interface WriteTaskProps {
  readonly isSimulated: boolean
  readonly isDone: boolean
  readonly onSent: (messageId: string) => void
}

function WriteTask({ isSimulated, isDone, onSent }: WriteTaskProps) {
  const action = useAction(
    async (values: Values) => {
      const { messageId } = await api.alert.send({ phone: values.phone ?? '', message: values.message ?? '' })
      onSent(messageId)
    },
    { quiet: true },
  )
  return (
    <Task step={2} isDone={isDone} title={isSimulated ? t.firstRun.write : t.firstRun.writeReal}>
      <Form action={action} submit={t.sendBox.send} class="start">
        {isSimulated ? (
          <input type="hidden" name="phone" value={anna} />
        ) : (
          <TextField label={t.sendBox.to} name="phone" type="tel" hint={t.sendBox.toHint} />
        )}
        <TextField
          label={t.sendBox.text}
          name="message"
          defaultValue={t.firstRun.sample}
          dir="auto"
          hint={t.firstRun.writeHint}
        />
      </Form>
    </Task>
  )
}

function WatchTask({ messageId }: { readonly messageId: string | null }) {
  const message = useQuery({
    queryKey: ['message', messageId],
    enabled: messageId !== null,
    queryFn: () => api.messages.get({ id: messageId ?? '' }),
  })
  const status = message.data?.message.status
  return (
    <Task step={3} isDone={status === 'read'} title={t.firstRun.watch}>
      {status === undefined ? (
        <p class="small muted">{t.firstRun.watchHint}</p>
      ) : (
        <p class="row">
          <Status of={status} />
          <a class="link small" href={pagePath(`messages/${messageId}`)}>
            {t.firstRun.everyStep}
          </a>
        </p>
      )}
    </Task>
  )
}

function ReplyTask({ isDone }: { readonly isDone: boolean }) {
  return (
    <Task step={4} isDone={isDone} title={t.firstRun.reply}>
      <p class="small muted">{t.firstRun.replyHint}</p>
      <p>
        <a class="link small" href={pagePath('inbox')}>
          {t.firstRun.openInbox}
        </a>
      </p>
    </Task>
  )
}

function CodeTask() {
  const me = useQuery({ queryKey: ['me'], queryFn: () => api.account.me() })
  const request = `curl ${apiUrl}/alert/send \\
  -H "X-API-Key: msk_..." \\
  -H "Content-Type: application/json" \\
  -d '{"phone": "+12025550100", "message": "Hello"}'`
  return (
    <Task step={5} isDone={me.data?.hasApiKey ?? false} title={t.firstRun.code}>
      <Code label={t.firstRun.codeLabel}>{request}</Code>
      <p class="row wrap">
        <a class="btn" href={pagePath('keys')}>
          {t.firstRun.makeKey}
        </a>
        <a class="btn quiet" href={servicePath('/docs')} target="_blank" rel="noreferrer">
          {t.firstRun.reference}
        </a>
      </p>
    </Task>
  )
}
