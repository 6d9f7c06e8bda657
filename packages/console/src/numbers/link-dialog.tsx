import { useQuery } from '@tanstack/preact-query'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { useOverview } from '../api/live.ts'
import { useAction } from '../api/use-action.ts'
import { useSession } from '../session/session.ts'
import { ScanCard } from '../simulator/scan-card.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { CircleCheck } from '../ui/marks.ts'
import { Status } from '../ui/status.tsx'
import { toast } from '../ui/toast.tsx'
import { useEvery } from '../ui/when.tsx'
import { leftToRight } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'

/** The network may need a moment until it has a code, and changes a code that is shown: at the first scan of it. */
const againMs = 1_500
/** How long the dialog shows that the number is linked, in milliseconds. */
const shownMs = 1_600

interface LinkDialogProps {
  readonly id: string
  readonly label: string
  readonly onClose: () => void
}

/**
 * Links a number: a fresh QR at any moment, or a pairing code. It closes once the stream reports that the number works.
 */
export function LinkDialog({ id, label, onClose }: LinkDialogProps) {
  const session = useSession()
  const overview = useOverview()
  const status = overview?.numbers.find(({ containerId }) => containerId === id)?.status
  const isLinked = status === 'WORKING'
  const isDone = useRef(false)
  const [isAgain, setIsAgain] = useState(false)
  const state = useQuery({ queryKey: ['number', id], queryFn: () => api.numbers.status({ containerId: id }) })
  // Without its state the QR is shown: the service decides nothing by the warning.
  const warning = state.isError ? null : state.data?.linkWarning
  useEffect(() => {
    if (!isLinked || isDone.current) return
    isDone.current = true
    toast(t.linking.linkedToast(label))
    const timer = setTimeout(onClose, shownMs)
    return () => clearTimeout(timer)
  }, [isLinked])
  return (
    <Dialog title={t.linking.title(label)} size="wide" onClose={onClose}>
      {warning !== null && !isAgain ? (
        <div class="stack">
          <p dir="auto">{warning}</p>
          <p class="row wrap">
            <Button onClick={() => setIsAgain(true)} label={t.linking.again} />
          </p>
        </div>
      ) : null}
      {warning === undefined || (warning !== null && !isAgain) ? null : (
        <div class="linking">
          <QrCodeBox id={id} isLinked={isLinked} />
          <div class="stack">
            <ol class="numbered">
              <li>{t.linking.step1}</li>
              <li>{t.linking.step2}</li>
              <li>{t.linking.step3}</li>
            </ol>
            <PairingCode id={id} />
            <p role="status">{status ? <Status of={status} /> : null}</p>
            {session?.simulator && status === 'SCAN_QR_CODE' ? <ScanCard id={id} label={label} /> : null}
          </div>
        </div>
      )}
    </Dialog>
  )
}

function QrCodeBox({ id, isLinked }: { readonly id: string; readonly isLinked: boolean }) {
  const [expiresAt, setExpiresAt] = useState(0)
  const [lifetimeMs, setLifetimeMs] = useState(60_000)
  const code = useQuery({
    queryKey: ['qr', id],
    staleTime: 0,
    gcTime: 0,
    enabled: !isLinked,
    queryFn: async () => {
      const answer = await api.numbers.qr({ containerId: id })
      if ('qr' in answer) {
        setLifetimeMs(answer.qr.expiresInSeconds * 1000)
        setExpiresAt(Date.now() + answer.qr.expiresInSeconds * 1000)
      }
      return answer
    },
    refetchInterval: againMs,
  })
  const start = useAction(() => api.numbers.start({ containerId: id }), { stale: ['qr', 'numbers', 'number'] })
  const now = useEvery(1000)
  const image = code.data && 'qr' in code.data && 'image' in code.data.qr ? code.data.qr.image : null
  const leftMs = Math.max(0, expiresAt - now)
  const isStopped = code.data?.status === 'FAILED' || code.data?.status === 'STOPPED'
  if (isLinked)
    return (
      <div class="qr linked" role="status">
        <CircleCheck size={40} aria-hidden />
        {t.linking.linked}
      </div>
    )
  return (
    <div class="stack tight qr-side">
      <div class="qr">
        {image ? (
          <img src={image} alt={t.linking.qrAlt} />
        ) : (
          <p class="small">{code.data && 'message' in code.data ? code.data.message : t.linking.getting}</p>
        )}
        {isStopped ? <Button action={start} label={t.linking.tryAgain} /> : null}
      </div>
      {image ? (
        <>
          <div class="countdown" aria-hidden>
            <i style={{ inlineSize: `${(100 * leftMs) / lifetimeMs}%` }} />
          </div>
          <p class="xs muted num">{t.linking.newIn(number(Math.round(leftMs / 1000)))}</p>
        </>
      ) : null}
    </div>
  )
}

function PairingCode({ id }: { readonly id: string }) {
  const [code, setCode] = useState<string | null>(null)
  const pair = useAction(
    async ({ phone = '' }: Values) => {
      const answer = await api.numbers.pair({ containerId: id, phone })
      setCode(answer.code)
    },
    { quiet: true },
  )
  return (
    <details class="pairing" open={code !== null}>
      <summary>{t.linking.noCamera}</summary>
      <div class="stack">
        <Form action={pair} submit={t.linking.getCode} class="inline">
          <TextField label={t.linking.phone} name="phone" type="tel" placeholder="+1 202 555 0190" />
        </Form>
        {code ? (
          <div aria-live="polite">
            <p class="code">{leftToRight(`${code.slice(0, 4)}-${code.slice(4)}`)}</p>
            <p class="hint">{t.linking.codeHint}</p>
          </div>
        ) : null}
      </div>
    </details>
  )
}
