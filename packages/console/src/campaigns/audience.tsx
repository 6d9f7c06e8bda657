import { limits } from '@msgctl/contract/limits'
import { FileUp } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { t } from '../words/index.ts'
import type { BadLine, Sheet } from './columns.ts'
import { readCsv } from './read-csv.ts'

/** So many lines without a number are named. */
const namedLines = 4
const example =
  'phone;name;people;time\n+12025550100;Anna;2;19:30\n+12025550130;Emil;4;20:00\n+12025550142;Lina;3;20:15\n'

interface AudienceProps {
  readonly sheet: Sheet | null
  readonly phoneColumn: number
  readonly bad: readonly BadLine[]
  readonly tooMany: boolean
  readonly onSheet: (sheet: Sheet | null) => void
  readonly onColumn: (index: number) => void
}

/** Takes the file with the recipients, and says which of its lines cannot be used. */
export function Audience({ sheet, phoneColumn, bad, tooMany, onSheet, onColumn }: AudienceProps) {
  if (sheet === null) return <Drop onSheet={onSheet} />
  const first = sheet.rows[0]
  return (
    <div class="pad stack">
      <div class="row between">
        <span class="cut">
          <b dir="auto">{sheet.name}</b> <span class="muted num">{t.newCampaign.lines(sheet.rows.length)}</span>
        </span>
        <Button onClick={() => onSheet(null)} label={t.newCampaign.anotherFile} />
      </div>
      <label class="field">
        <span>{t.newCampaign.phoneColumn}</span>
        <select
          class="input"
          value={String(phoneColumn)}
          onChange={(event) => onColumn(Number(event.currentTarget.value))}
        >
          {sheet.columns.map((column, index) => (
            <option key={column} value={String(index)}>
              {t.newCampaign.like(column, first?.[index] ?? '')}
            </option>
          ))}
        </select>
      </label>
      {sheet.rows.length === 0 ? <p class="error">{t.newCampaign.noRows}</p> : null}
      {bad.length > 0 ? (
        <p class="error">
          {t.newCampaign.badLines(bad.length)}{' '}
          {bad
            .slice(0, namedLines)
            .map(({ line, text }) => t.newCampaign.line(line, text))
            .join(', ')}
          {bad.length > namedLines ? ' …' : ''}
        </p>
      ) : null}
      {tooMany ? <p class="error">{t.newCampaign.tooMany(limits.campaignRecipients)}</p> : null}
    </div>
  )
}

function Drop({ onSheet }: { readonly onSheet: (sheet: Sheet) => void }) {
  const [over, setOver] = useState(false)
  const read = useAction(async (file: File) => {
    const text = await file.text()
    const sheet = await readCsv(file.name, text).catch(() => {
      throw new Error(t.newCampaign.notReadable)
    })
    onSheet(sheet)
  })
  const useExample = useAction(async () => onSheet(await readCsv('example.csv', example)))
  return (
    <div class="pad stack tight">
      <label
        class="drop"
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const file = event.dataTransfer?.files[0]
          if (file) void read.run(file)
        }}
      >
        <FileUp size={24} aria-hidden />
        <span>
          <b>{t.newCampaign.drop}</b> {t.newCampaign.choose}
        </span>
        <span class="small muted">{t.newCampaign.dropHint}</span>
        <input
          class="unseen"
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            if (file) void read.run(file)
          }}
        />
      </label>
      <button type="button" class="link small" onClick={() => useExample.run()}>
        {t.newCampaign.example}
      </button>
    </div>
  )
}
