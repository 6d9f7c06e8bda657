import { limits } from '@msgctl/contract/limits'
import { placeholder, variableKey } from '@msgctl/contract/placeholders'
import { useRef } from 'preact/hooks'
import { t } from '../words/index.ts'

interface TextEditorProps {
  readonly name: string
  readonly onName: (name: string) => void
  readonly text: string
  readonly onText: (text: string) => void
  /** The columns that can be inserted. */
  readonly columns: readonly string[]
  readonly hasFile: boolean
}

/** Returns the placeholders of a text that no column fills. */
function unknownPlaceholders(text: string, columns: readonly string[]): string[] {
  const used = [...text.matchAll(placeholder)].map(([, name = '']) => variableKey(name))
  return [...new Set(used)].filter((name) => !columns.includes(name))
}

/** Name and text of a campaign; the columns of the file are buttons. */
export function TextEditor({ name, onName, text, onText, columns, hasFile }: TextEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  function insert(column: string): void {
    const element = area.current
    const from = element?.selectionStart ?? text.length
    const to = element?.selectionEnd ?? text.length
    onText(`${text.slice(0, from)}{{${column}}}${text.slice(to)}`)
    element?.focus()
  }
  return (
    <div class="pad stack">
      <label class="field">
        <span>{t.newCampaign.name}</span>
        <input
          class="input"
          value={name}
          maxLength={limits.campaignName}
          dir="auto"
          onInput={(event) => onName(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>{t.newCampaign.text}</span>
        <textarea
          ref={area}
          class="input"
          rows={5}
          maxLength={limits.message}
          value={text}
          dir="auto"
          onInput={(event) => onText(event.currentTarget.value)}
        />
      </label>
      {columns.length > 0 ? (
        <p class="row wrap">
          <span class="small muted">{t.newCampaign.insert}</span>
          {columns.map((column) => (
            <button key={column} type="button" class="btn" onClick={() => insert(column)}>
              <code>{`{{${column}}}`}</code>
            </button>
          ))}
        </p>
      ) : null}
      {hasFile
        ? unknownPlaceholders(text, columns).map((unknown) => (
            <p key={unknown} class="error">
              {t.newCampaign.unknownColumn(unknown)}
            </p>
          ))
        : null}
    </div>
  )
}
