import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { KeyDialog } from '../account/key-dialog.tsx'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { useMayManage } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Copyable } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Form, TextField, type Values } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { LoadState } from '../ui/problem.tsx'
import { t } from '../words/index.ts'

/** The address that events are posted to, and the secret that signs them. */
export function Receiver() {
  const webhook = useQuery({ queryKey: ['webhook'], queryFn: () => api.webhook.get() })
  const mayManage = useMayManage()
  const save = useAction(({ url = '' }: Values) => api.webhook.set({ webhookUrl: url.trim() || null }), {
    stale: ['webhook', 'endpoints'],
    done: t.ui.saved,
    quiet: true,
  })
  return (
    <Card label={t.webhook.address}>
      <LoadState of={webhook} />
      {webhook.data ? (
        <div class="pad stack">
          <Form key={webhook.data.webhookUrl} action={save} submit={t.webhook.save} class="inline">
            <TextField
              label={t.webhook.address}
              name="url"
              type="url"
              maxLength={2000}
              defaultValue={webhook.data.webhookUrl ?? ''}
              placeholder="https://example.com/events"
              readOnly={!mayManage}
              required={false}
            />
          </Form>
          {webhook.data.signingSecret ? <Secret secret={webhook.data.signingSecret} mayManage={mayManage} /> : null}
        </div>
      ) : null}
    </Card>
  )
}

interface SecretProps {
  readonly secret: string
  readonly mayManage: boolean
}

function Secret({ secret, mayManage }: SecretProps) {
  const [isShown, setShown] = useState(false)
  const [asking, setAsking] = useState(false)
  const [fresh, setFresh] = useState<string | null>(null)
  return (
    <div class="field">
      <span>{t.webhook.secret}</span>
      <div class="row wrap">
        {isShown ? <Copyable text={secret} /> : <code dir="ltr">whsec_••••••••••••••••</code>}
        <Button onClick={() => setShown(!isShown)} label={isShown ? t.webhook.hide : t.webhook.show} />
        {mayManage ? <Button onClick={() => setAsking(true)} label={t.webhook.replace} /> : null}
      </div>
      {asking ? <ReplaceDialog onClose={() => setAsking(false)} onSecret={setFresh} /> : null}
      {fresh === null ? null : <KeyDialog value={fresh} onClose={() => setFresh(null)} />}
    </div>
  )
}

interface ReplaceDialogProps {
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}

/** Replaces the secret; receivers accept the old one for the chosen time. */
function ReplaceDialog({ onClose, onSecret }: ReplaceDialogProps) {
  const replace = useAction(
    async ({ overlap = '0' }: Values) => {
      const { signingSecret } = await api.webhook.regenerateSecret({ overlapSeconds: Number(overlap) })
      onSecret(signingSecret)
    },
    { stale: ['webhook'], quiet: true },
  )
  return (
    <Dialog title={t.webhook.replaceTitle} size="small" onClose={onClose}>
      <div class="dialog-body">
        <p class="muted">{t.webhook.replaceHint}</p>
        <Form action={replace} submit={t.webhook.replace} onDone={onClose} onCancel={onClose}>
          <Choice
            label={t.webhook.overlap}
            name="overlap"
            value="86400"
            options={(['86400', '3600', '0'] as const).map((seconds) => [seconds, t.webhook.overlaps[seconds]])}
          />
        </Form>
      </div>
    </Dialog>
  )
}
