import type { McpActionOutput } from '@msgctl/client/admin'
import { useQuery } from '@tanstack/preact-query'
import { admin } from '../api/admin-client.ts'
import { pagePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import type { PathValues } from '../routes.ts'
import { Button } from '../ui/button.tsx'
import { Phone } from '../ui/contact.tsx'
import { Card, Page } from '../ui/layout.tsx'
import { LoadState } from '../ui/problem.tsx'
import { dayAndTime, phoneText } from '../words/format.ts'
import { t } from '../words/index.ts'

interface ActionPageProps extends PathValues {
  /** The console is not around it. */
  readonly isAlone?: boolean
}

/** What an AI client wants to send, for a person to approve or deny. */
export function ActionPage({ id: actionId = '', isAlone = false }: ActionPageProps) {
  const found = useQuery({ queryKey: ['mcp-actions', actionId], queryFn: () => admin.mcp.action({ actionId }) })
  return (
    <Page title={t.connections.action} back={isAlone ? undefined : [pagePath('connections'), t.nav.connections]} narrow>
      <LoadState of={found} />
      {found.data ? <Decision found={found.data} /> : null}
    </Page>
  )
}

function Decision({ found: { action, preview } }: { readonly found: McpActionOutput }) {
  const { id: actionId, summary, state, connection, expiresAt, result } = action
  const stale = ['mcp-actions', 'messages', 'campaigns']
  const approve = useAction(() => admin.mcp.approve({ actionId }), { stale, done: t.connections.approved })
  const deny = useAction(() => admin.mcp.deny({ actionId }), { stale, done: t.connections.denied })
  const words = t.connections
  const texts = preview.text === null ? preview.samples : [{ phone: preview.recipient ?? '', text: preview.text }]
  return (
    <Card title={summary} aside={<span class="small muted">{words.from(connection.name)}</span>}>
      <div class="pad stack">
        <p dir="auto">{preview.reason}</p>
        {preview.people > 0 ? (
          <>
            {preview.recipient ? (
              <Phone of={preview.recipient.replace('+', '')} />
            ) : (
              <p>{words.people(preview.people)}</p>
            )}
            <div class="bubbles framed">
              {texts.map(({ phone, text }) => (
                <div key={phone} class="bubble mine">
                  <span dir="auto">{text}</span>
                  {preview.recipient ? null : <footer>{phoneText(phone)}</footer>}
                </div>
              ))}
            </div>
          </>
        ) : null}
        {state === 'pending' ? (
          <>
            <p class="small muted">{words.expires(dayAndTime(expiresAt))}</p>
            <p class="row wrap">
              <Button kind="primary" action={approve} label={words.approve} />
              <Button kind="danger" action={deny} label={words.deny} />
            </p>
          </>
        ) : (
          <>
            <p class="strong">{words.states[state]}</p>
            {state === 'failed' ? <p dir="auto">{messageIn(result)}</p> : null}
          </>
        )}
      </div>
    </Card>
  )
}

/** Returns the sentence of the error with which an action failed. */
function messageIn(result: McpActionOutput['action']['result']): string {
  const error = result?.error
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : ''
}
