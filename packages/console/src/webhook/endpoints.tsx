import type { EventKind, WebhookEndpoint } from '@msgctl/client'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { KeyDialog } from '../account/key-dialog.tsx'
import { api } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { useMayManage } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { t } from '../words/index.ts'

const kinds = Object.keys(t.eventKinds) as EventKind[]
const stale = ['endpoints', 'webhook']

/** The addresses beside the main one, each with its own kinds of events. */
export function Endpoints() {
  const list = useQuery({ queryKey: ['endpoints'], queryFn: () => api.webhook.endpoints() })
  const [editing, setEditing] = useState<WebhookEndpoint | 'new' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const mayManage = useMayManage()
  const others = list.data?.endpoints.filter(({ main }) => !main) ?? []
  return (
    <Card
      title={t.webhook.others}
      aside={mayManage ? <Button onClick={() => setEditing('new')} label={t.webhook.addAddress} /> : null}
    >
      {others.length === 0 ? <p class="pad small muted">{t.webhook.othersHint}</p> : null}
      <ul class="items">
        {others.map((endpoint) => (
          <EndpointRow
            key={endpoint.id}
            endpoint={endpoint}
            onEdit={mayManage ? () => setEditing(endpoint) : undefined}
          />
        ))}
      </ul>
      {editing === null ? null : (
        <EndpointDialog
          endpoint={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSecret={setSecret}
        />
      )}
      {secret === null ? null : <KeyDialog value={secret} onClose={() => setSecret(null)} />}
    </Card>
  )
}

interface EndpointRowProps {
  readonly endpoint: WebhookEndpoint
  readonly onEdit: (() => void) | undefined
}

function EndpointRow({ endpoint, onEdit }: EndpointRowProps) {
  const [removing, setRemoving] = useState(false)
  const remove = useAction(() => api.webhook.removeEndpoint({ id: endpoint.id }), { stale })
  return (
    <li class="item">
      <span class="grow">
        <span class="block mono break">{endpoint.url}</span>
        <span class="small muted">
          {endpoint.label ? `${endpoint.label} · ` : ''}
          {endpoint.kinds === null ? t.webhook.allKinds : t.webhook.someKinds(endpoint.kinds.length)}
        </span>
      </span>
      {onEdit ? (
        <>
          <Button onClick={onEdit} label={t.ui.edit} />
          <Button kind="danger" onClick={() => setRemoving(true)} label={t.webhook.removeAddress} />
        </>
      ) : null}
      {removing ? (
        <Confirm
          title={t.webhook.removeTitle}
          act={t.webhook.removeAddress}
          action={remove}
          onClose={() => setRemoving(false)}
        >
          <p>{t.webhook.removeHint}</p>
        </Confirm>
      ) : null}
    </li>
  )
}

interface EndpointDialogProps {
  readonly endpoint: WebhookEndpoint | null
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}

function EndpointDialog({ endpoint, onClose, onSecret }: EndpointDialogProps) {
  const [chosen, setChosen] = useState<readonly EventKind[] | null>(endpoint ? endpoint.kinds : null)
  const save = useAction(
    async ({ url = '', label = '' }: Values) => {
      const input = { url, label: label || null, kinds: chosen }
      if (endpoint) {
        await api.webhook.setEndpoint({ id: endpoint.id, ...input })
        return
      }
      const { signingSecret } = await api.webhook.addEndpoint(input)
      if (signingSecret) onSecret(signingSecret)
    },
    { stale, quiet: true },
  )
  const toggle = (kind: EventKind) => {
    const list = chosen ?? []
    setChosen(list.includes(kind) ? list.filter((each) => each !== kind) : [...list, kind])
  }
  return (
    <Dialog title={endpoint ? t.webhook.editAddress : t.webhook.addAddress} onClose={onClose}>
      <div class="dialog-body">
        <Form action={save} submit={t.ui.save} onDone={onClose} onCancel={onClose}>
          <TextField
            label={t.webhook.address}
            name="url"
            type="url"
            defaultValue={endpoint?.url}
            placeholder="https://example.com/events"
            autofocus
          />
          <TextField
            label={t.webhook.name}
            name="label"
            defaultValue={endpoint?.label ?? ''}
            maxLength={255}
            optional
          />
          <fieldset class="stack tight">
            <legend class="strong small">{t.webhook.kinds}</legend>
            <label class="check">
              <input
                type="checkbox"
                checked={chosen === null}
                onChange={(event) => setChosen(event.currentTarget.checked ? null : [...kinds])}
              />
              <span>{t.webhook.allKinds}</span>
            </label>
            {chosen === null ? null : (
              <div class="kinds">
                {kinds.map((kind) => (
                  <label key={kind} class="check">
                    <input type="checkbox" checked={chosen.includes(kind)} onChange={() => toggle(kind)} />
                    <span>
                      <code class="small">{kind}</code>
                      <span class="hint">{t.eventKinds[kind]}</span>
                    </span>
                  </label>
                ))}
              </div>
            )}
          </fieldset>
        </Form>
      </div>
    </Dialog>
  )
}
