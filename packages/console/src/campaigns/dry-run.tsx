import type { CampaignsPreviewOutput } from '@msgctl/client'
import { limits } from '@msgctl/contract/limits'
import { placeholder, variableKey } from '@msgctl/contract/placeholders'
import { useState } from 'preact/hooks'
import { failureOf } from '../api/failure.ts'
import { Button } from '../ui/button.tsx'
import { Card, Empty, Facts } from '../ui/layout.tsx'
import { Problem } from '../ui/problem.tsx'
import { phoneText } from '../words/format.ts'
import { t } from '../words/index.ts'
import { number } from '../words/plural.ts'
import type { SheetRecipient } from './columns.ts'

interface LooksLikeProps {
  readonly template: string
  readonly recipients: readonly SheetRecipient[]
}

/** The text as one recipient gets it. */
export function LooksLike({ template, recipients }: LooksLikeProps) {
  const [index, setIndex] = useState(0)
  const sample = recipients[index % Math.max(1, recipients.length)]
  const text = template.replace(placeholder, (_, name: string) => sample?.variables[variableKey(name)] ?? '')
  return (
    <Card
      title={t.newCampaign.preview}
      aside={
        recipients.length > 1 ? <Button onClick={() => setIndex(index + 1)} label={t.newCampaign.nextPerson} /> : null
      }
    >
      <div class="bubbles preview">
        <p class="day">{sample ? phoneText(sample.phone) : t.newCampaign.noSample}</p>
        {text.trim() ? (
          <p class="bubble mine" dir="auto">
            {text}
          </p>
        ) : null}
      </div>
    </Card>
  )
}

interface DryRunProps {
  readonly preview: CampaignsPreviewOutput | undefined
  readonly error: unknown
  readonly left: number
  readonly isReady: boolean
}

/** What the service says of the campaign without sending it. */
export function DryRun({ preview, error, left, isReady }: DryRunProps) {
  const words = t.newCampaign
  return (
    <Card title={words.dryRun}>
      {error ? (
        <div class="pad">
          <Problem failure={failureOf(error)} />
        </div>
      ) : null}
      {preview && isReady ? (
        <div class="pad">
          <Facts
            facts={[
              [words.people, <b key="people">{number(preview.unique)}</b>],
              preview.duplicates > 0 ? [words.duplicates, number(preview.duplicates)] : null,
              left > 0 ? [words.left, number(left)] : null,
              ...preview.missingVariables.map(
                ({ key, recipients }) =>
                  [
                    words.without(key),
                    <span key={key} class="is-held strong">
                      {number(recipients)}
                    </span>,
                  ] as const,
              ),
              [words.longest, words.ofCharacters(preview.longest, limits.message)],
              [words.takes, preview.estimatedDuration],
            ]}
          />
        </div>
      ) : error ? null : (
        <Empty title={words.dryRunWaits} />
      )}
    </Card>
  )
}
