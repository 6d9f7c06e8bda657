import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { apiUrl, servicePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { useNumbers } from '../numbers/use-numbers.ts'
import { useMayManage } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Card, Loading, Page } from '../ui/layout.tsx'
import { LoadProblem } from '../ui/problem.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/index.ts'
import { KeyDialog } from './key-dialog.tsx'

/** The keys of programs: of the account and of each number. */
export function Keys() {
  const me = useQuery({ queryKey: ['me'], queryFn: () => api.account.me() })
  const { list, numbers } = useNumbers()
  const [shown, setShown] = useState<string | null>(null)
  const mayManage = useMayManage()
  const generate = useAction(async () => setShown((await api.account.generateKey()).apiKey), { stale: ['me'] })
  const regenerate = useAction(async () => setShown((await api.account.regenerateKey()).apiKey), { stale: ['me'] })
  return (
    <Page title={t.nav.keys} narrow>
      <p class="muted">{t.keys.intro}</p>
      {mayManage ? null : <p class="note">{t.keys.forbidden}</p>}
      {me.isError ? <LoadProblem error={me.error} retry={() => me.refetch()} /> : null}
      {me.isPending || list.isPending ? <Loading /> : null}
      {me.data ? (
        <Card title={t.keys.account}>
          <div class="item">
            <span class="grow">
              <KeyPreview preview={me.data.apiKeyPreview} lastUsedAt={me.data.apiKeyLastUsedAt} />
              <span class="block small muted">{t.keys.accountHint}</span>
            </span>
            {mayManage ? <KeyButton hasKey={me.data.hasApiKey} generate={generate} regenerate={regenerate} /> : null}
          </div>
        </Card>
      ) : null}
      {numbers.length > 0 ? (
        <Card title={t.keys.ofNumbers} aside={<span class="small muted">{t.keys.ofNumbersHint}</span>}>
          <ul class="items">
            {numbers.map((number) => (
              <NumberKeyRow key={number.id} number={number} mayManage={mayManage} onKey={setShown} />
            ))}
          </ul>
        </Card>
      ) : null}
      <Card
        title={t.keys.example}
        aside={
          <a class="btn" href={servicePath('/docs')} target="_blank" rel="noreferrer">
            {t.keys.tryIt}
          </a>
        }
      >
        <div class="pad">
          <Code label={t.keys.example}>
            {`curl ${apiUrl}/alert/send \\
  -H "X-API-Key: ${me.data?.apiKeyPreview ?? 'msk_...'}" \\
  -H "Content-Type: application/json" \\
  -d '{"phone": "+12025550100", "message": "Hello"}'`}
          </Code>
        </div>
      </Card>
      {shown === null ? null : <KeyDialog value={shown} onClose={() => setShown(null)} />}
    </Page>
  )
}

interface KeyPreviewProps {
  readonly preview: string | null
  readonly lastUsedAt: string | null
}

/** The beginning of a key, and when it was used last. */
function KeyPreview({ preview, lastUsedAt }: KeyPreviewProps) {
  if (preview === null) return <span class="muted">{t.keys.none}</span>
  return (
    <span class="row wrap">
      <code dir="ltr">{preview}</code>
      <span class="small muted">
        {t.keys.lastUsed}: {lastUsedAt ? dayAndTime(lastUsedAt) : t.keys.unused}
      </span>
    </span>
  )
}

interface NumberKeyRowProps {
  readonly number: ReturnType<typeof useNumbers>['numbers'][number]
  readonly mayManage: boolean
  readonly onKey: (key: string) => void
}

function NumberKeyRow({ number, mayManage, onKey }: NumberKeyRowProps) {
  const { id: containerId, label, hasApiKey, apiKeyPreview } = number
  const stale = ['numbers']
  const generate = useAction(async () => onKey((await api.numbers.generateKey({ containerId })).apiKey), { stale })
  const regenerate = useAction(async () => onKey((await api.numbers.regenerateKey({ containerId })).apiKey), { stale })
  return (
    <li class="item">
      <span class="grow">
        <b dir="auto">{label}</b>
        <span class="block small">
          <KeyPreview preview={apiKeyPreview} lastUsedAt={number.apiKeyLastUsedAt} />
        </span>
      </span>
      {mayManage ? (
        <span class="row wrap">
          {hasApiKey ? <RemoveKey containerId={containerId} /> : null}
          <KeyButton hasKey={hasApiKey} generate={generate} regenerate={regenerate} />
        </span>
      ) : null}
    </li>
  )
}

function RemoveKey({ containerId }: { readonly containerId: string }) {
  const [asking, setAsking] = useState(false)
  const remove = useAction(() => api.numbers.deleteKey({ containerId }), { stale: ['numbers'] })
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)} label={t.keys.remove} />
      {asking ? (
        <Confirm title={t.keys.removeTitle} act={t.keys.remove} action={remove} onClose={() => setAsking(false)}>
          <p>{t.keys.removeHint}</p>
        </Confirm>
      ) : null}
    </>
  )
}

interface KeyButtonProps {
  readonly hasKey: boolean
  readonly generate: ReturnType<typeof useAction<[]>>
  readonly regenerate: ReturnType<typeof useAction<[]>>
}

/** Makes the first key at once; replaces a key after a question, because programs use it. */
function KeyButton({ hasKey, generate, regenerate }: KeyButtonProps) {
  const [asking, setAsking] = useState(false)
  if (!hasKey) return <Button kind="primary" action={generate} label={t.keys.make} />
  return (
    <>
      <Button onClick={() => setAsking(true)} label={t.keys.replace} />
      {asking ? (
        <Confirm title={t.keys.replaceTitle} act={t.keys.replace} action={regenerate} onClose={() => setAsking(false)}>
          <p>{t.keys.replaceHint}</p>
        </Confirm>
      ) : null}
    </>
  )
}
