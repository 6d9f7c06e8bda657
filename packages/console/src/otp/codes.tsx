import type { OtpSendOutput } from '@msgctl/client'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { useFeature } from '../session/session.ts'
import { Locked } from '../shell/locked.tsx'
import { Phone } from '../ui/contact.tsx'
import { Choice, Form, TextField, type Values } from '../ui/form.tsx'
import { Card, Empty, Page } from '../ui/layout.tsx'
import { ShieldCheck } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { Status } from '../ui/status.tsx'
import { toast } from '../ui/toast.tsx'
import { When } from '../ui/when.tsx'
import { phoneText } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import { CodeDays } from './code-days.tsx'

const shown = 12
const lengths = ['4', '5', '6', '7', '8'] as const

/** One-time codes: the latest ones, and a trial of sending and verifying. */
export function Codes() {
  const isUnlocked = useFeature('otp')
  if (!isUnlocked) return <Locked name="codes" />
  return (
    <Page title={t.nav.codes} beside={<span class="small muted">{t.codes.intro}</span>}>
      <CodeDays />
      <div class="columns">
        <LatestCodes />
        <TryIt />
      </div>
    </Page>
  )
}

function LatestCodes() {
  const codes = useQuery({
    queryKey: ['messages', 'codes'],
    queryFn: () => api.messages.list({ type: 'otp', limit: shown }),
  })
  const messages = codes.data?.messages ?? []
  return (
    <Card
      title={t.codes.recent}
      aside={
        <a class="btn" href={pagePath('messages?type=otp')}>
          {t.codes.allCodes}
        </a>
      }
    >
      <LoadState of={codes} />
      {codes.isSuccess && messages.length === 0 ? (
        <Empty title={t.codes.noRecent} mark={<ShieldCheck size={20} aria-hidden />} />
      ) : null}
      <ul class="items">
        {messages.map(({ id, recipient, status, errorCode, createdAt }) => (
          <li key={id}>
            <a class="item" href={pagePath(`messages/${id}`)}>
              <span class="grow">
                <Phone of={recipient} />
              </span>
              {errorCode ? <code class="xs is-failed">{errorCode}</code> : null}
              <Status of={status} />
              <span class="xs muted">
                <When at={createdAt} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function TryIt() {
  const [sent, setSent] = useState<OtpSendOutput | null>(null)
  const send = useAction(
    async ({ phone = '', length = '6' }: Values) => setSent(await api.otp.send({ phone, length: Number(length) })),
    { stale: ['messages'], quiet: true },
  )
  const verify = useAction(
    async ({ code = '' }: Values) => {
      await api.otp.verify({ requestId: sent?.requestId ?? '', code })
      toast(t.codes.verified)
      setSent(null)
    },
    { quiet: true },
  )
  return (
    <Card title={t.codes.send}>
      <div class="pad stack">
        <p class="small muted">{t.codes.sendHint}</p>
        {sent === null ? (
          <Form action={send} submit={t.codes.sendButton}>
            <TextField label={t.codes.phone} name="phone" type="tel" hint={t.sendBox.toHint} />
            <Choice
              label={t.codes.length}
              name="length"
              value="6"
              options={lengths.map((each) => [each, number(Number(each))])}
            />
          </Form>
        ) : (
          <Form action={verify} submit={t.codes.verify} onCancel={() => setSent(null)}>
            <p>{t.codes.sentTo(phoneText(sent.phone), sent.expiresInSeconds / 60)}</p>
            <TextField
              label={t.codes.code}
              name="code"
              inputMode="numeric"
              minLength={4}
              maxLength={8}
              autocomplete="off"
              autofocus
            />
          </Form>
        )}
        <p class="note">{t.codes.perPhone}</p>
      </div>
    </Card>
  )
}
