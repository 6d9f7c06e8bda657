import { t } from '../words/index.ts'
import {
  Ban,
  Check,
  CheckCheck,
  Circle,
  CircleCheck,
  CirclePause,
  Clock3,
  LoaderCircle,
  type Mark,
  Plug,
  QrCode,
  Send,
  ShieldCheck,
  TriangleAlert,
  Unplug,
  X,
} from './marks.ts'

/** Every state that the console shows, with its mark and its colour. */
const looks = {
  queued: [Clock3, 'queued'],
  sending: [Send, 'sending'],
  sent: [Check, 'sent'],
  delivered: [CheckCheck, 'delivered'],
  read: [CheckCheck, 'read'],
  failed: [X, 'failed'],
  held: [CirclePause, 'held'],
  pending: [Clock3, 'queued'],
  dropped: [X, 'failed'],
  draft: [Circle, 'queued'],
  scheduled: [Clock3, 'sent'],
  processing: [LoaderCircle, 'sending'],
  paused: [CirclePause, 'held'],
  completed: [CircleCheck, 'read'],
  done: [CircleCheck, 'read'],
  cancelled: [Ban, 'queued'],
  verified: [ShieldCheck, 'read'],
  expired: [Clock3, 'queued'],
  limited: [Ban, 'held'],
  active: [CircleCheck, 'read'],
  open: [Circle, 'held'],
  resolved: [CircleCheck, 'read'],
  dismissed: [Ban, 'queued'],
  placed: [Circle, 'held'],
  confirmed: [Check, 'sent'],
  shipped: [Send, 'sending'],
  refused: [X, 'failed'],
  WORKING: [Plug, 'read'],
  RESTRICTED: [Clock3, 'held'],
  SCAN_QR_CODE: [QrCode, 'held'],
  STARTING: [LoaderCircle, 'sending'],
  STOPPED: [Circle, 'queued'],
  FAILED: [TriangleAlert, 'failed'],
  UNREACHABLE: [Unplug, 'failed'],
} as const satisfies Record<string, readonly [Mark, string]>

export type StatusName = keyof typeof looks

interface StatusProps {
  readonly of: StatusName
  /** Shows the mark alone; its word stays for screen readers. */
  readonly bare?: boolean
}

/** A state as mark, colour and word, so that none of the three is needed alone. */
export function Status({ of, bare = false }: StatusProps) {
  const [Mark, colour] = looks[of]
  if (bare)
    return (
      <span class={`status is-${colour}`} role="img" aria-label={t.status[of]} title={t.status[of]}>
        <Mark size={14} aria-hidden />
      </span>
    )
  return (
    <span class={`status is-${colour}`}>
      <Mark size={14} aria-hidden />
      <span>{t.status[of]}</span>
    </span>
  )
}
