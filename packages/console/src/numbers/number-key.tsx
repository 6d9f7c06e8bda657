import type { NumberRecord } from '@msgctl/client'
import { useState } from 'preact/hooks'
import { KeyDialog } from '../account/key-dialog.tsx'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { t } from '../words/index.ts'

/** The key that sends through one number only. */
export function NumberKey({ number }: { readonly number: NumberRecord }) {
  const [key, setKey] = useState<string | null>(null)
  const { id: containerId, hasApiKey, apiKeyPreview } = number
  const make = useAction(
    async () => {
      const call = hasApiKey ? api.numbers.regenerateKey : api.numbers.generateKey
      setKey((await call({ containerId })).apiKey)
    },
    { stale: ['numbers'] },
  )
  const words = t.numberDetail
  return (
    <details class="card fold">
      <summary>
        <span class="grow">{words.key}</span>
        {apiKeyPreview ? <code class="small muted">{apiKeyPreview}</code> : null}
      </summary>
      <div class="pad stack tight">
        <p class="small muted">{words.keyHint}</p>
        <p>
          <button type="button" class="btn" disabled={make.busy} onClick={() => make.run()}>
            {hasApiKey ? words.keyReplace : words.keyMake}
          </button>
        </p>
      </div>
      {key === null ? null : <KeyDialog value={key} onClose={() => setKey(null)} />}
    </details>
  )
}
