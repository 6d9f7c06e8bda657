import type { NumberRecord } from '@msgctl/client'
import { useState } from 'preact/hooks'
import { KeyDialog } from '../account/key-dialog.tsx'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
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
  const [removing, setRemoving] = useState(false)
  const remove = useAction(() => api.numbers.deleteKey({ containerId }), { stale: ['numbers'] })
  const words = t.numberDetail
  return (
    <details class="card fold">
      <summary>
        <span class="grow">{words.key}</span>
        {apiKeyPreview ? <code class="small muted">{apiKeyPreview}</code> : null}
      </summary>
      <div class="pad stack tight">
        <p class="small muted">{words.keyHint}</p>
        <p class="row wrap">
          <Button action={make} label={hasApiKey ? words.keyReplace : words.keyMake} />
          {hasApiKey ? <Button kind="danger" onClick={() => setRemoving(true)} label={t.keys.remove} /> : null}
        </p>
        {removing ? (
          <Confirm title={t.keys.removeTitle} act={t.keys.remove} action={remove} onClose={() => setRemoving(false)}>
            <p>{t.keys.removeHint}</p>
          </Confirm>
        ) : null}
      </div>
      {key === null ? null : <KeyDialog value={key} onClose={() => setKey(null)} />}
    </details>
  )
}
