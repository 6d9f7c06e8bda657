import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { t } from '../words/index.ts'

/** The messages that wait for a decision, after another phone was linked. */
export function HeldMessages({ id, count }: { readonly id: string; readonly count: number }) {
  const [confirming, setConfirming] = useState(false)
  const stale = ['numbers', 'number', 'queue', 'messages']
  const send = useAction(() => api.numbers.release({ containerId: id, action: 'send' }), { stale })
  const discard = useAction(() => api.numbers.release({ containerId: id, action: 'discard' }), { stale })
  const words = t.numberDetail
  return (
    <div class="note held">
      <div class="stack tight">
        <b>{words.heldTitle(count)}</b>
        <p>{words.heldHint}</p>
        <p class="row wrap">
          <Button action={send} label={words.heldSend} />
          <Button kind="danger" onClick={() => setConfirming(true)} label={words.heldDiscard} />
        </p>
      </div>
      {confirming ? (
        <Confirm
          title={words.discardTitle}
          act={words.heldDiscard}
          action={discard}
          onClose={() => setConfirming(false)}
        >
          <p>{words.discardHint}</p>
        </Confirm>
      ) : null}
    </div>
  )
}
