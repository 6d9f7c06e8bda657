import type { TimelineEntry } from '@msgctl/client'
import { Pencil, RotateCw, Trash2 } from 'lucide-preact'
import { Webhook } from '../ui/marks.ts'
import { Status } from '../ui/status.tsx'
import { When } from '../ui/when.tsx'
import { span } from '../words/format.ts'
import { t } from '../words/index.ts'

/** A pause between two steps is named from this length on, in milliseconds. */
const namedPauseMs = 5_000

function StepMark({ step }: Pick<TimelineEntry, 'step'>) {
  if (step === 'webhook') return <Webhook size={14} aria-hidden />
  if (step === 'edited') return <Pencil size={14} aria-hidden />
  if (step === 'attempt') return <RotateCw size={14} aria-hidden />
  if (step === 'deleted') return <Trash2 size={14} aria-hidden />
  return <Status of={step} bare />
}

/** What happened to a message, with the pauses between the steps in words. */
export function Timeline({ steps }: { readonly steps: readonly TimelineEntry[] }) {
  return (
    <ol class="steps">
      {steps.map(({ at, step, detail }, index) => {
        const before = steps[index - 1]
        const pauseMs = before ? Date.parse(at) - Date.parse(before.at) : 0
        return (
          <li key={`${at}${step}${detail ?? ''}`} class="step">
            <span class="status">
              <StepMark step={step} />
            </span>
            <span class="break">
              {t.message.steps[step]}
              {pauseMs >= namedPauseMs ? <span class="small muted"> · {t.message.later(span(pauseMs))}</span> : null}
              {detail ? (
                <span class="block xs muted" dir="auto">
                  {detail}
                </span>
              ) : null}
            </span>
            <span class="xs muted">
              <When at={at} seconds />
            </span>
          </li>
        )
      })}
    </ol>
  )
}
