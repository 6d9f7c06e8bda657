import type { OauthRequestOutput } from '@msgctl/client/admin'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Card, Page } from '../ui/layout.tsx'
import { LoadState, Problem } from '../ui/problem.tsx'
import { phoneText } from '../words/format.ts'
import { t } from '../words/index.ts'

const scopes = ['read', 'send', 'manage'] as const
type Scope = (typeof scopes)[number]

/** Where a person allows an AI client, and with what. */
export function ConsentPage({ id: requestId }: { readonly id: string }) {
  const found = useQuery({ queryKey: ['consent', requestId], queryFn: () => admin.oauth.request({ requestId }) })
  return (
    <Page title={found.data ? t.connections.requestTitle(found.data.request.client.name) : t.nav.connections} narrow>
      <LoadState of={found} />
      {found.data ? <Consent request={found.data.request} /> : null}
    </Page>
  )
}

/** Where the answer goes: a person should know a program on this computer from a website. */
function Destination({ redirect: { kind, host } }: Pick<OauthRequestOutput['request'], 'redirect'>) {
  const words = t.connections
  if (kind === 'web') return <p class="muted">{words.returnsTo(host)}</p>
  return <p class="strong">{kind === 'loopback' ? words.returnsToProgram(host) : words.returnsToOpened(host)}</p>
}

function Consent({ request }: Pick<OauthRequestOutput, 'request'>) {
  const { id: requestId, client, numbers } = request
  const organization = useSession()?.organization
  // Only reading is ticked: the person adds the rest.
  const [granted, setGranted] = useState<readonly Scope[]>(request.scopes.filter((scope) => scope === 'read'))
  const [containerId, setContainerId] = useState('')
  const [isAnswered, setAnswered] = useState(false)
  /** Leads back to the client. The page stays where that is a program. */
  function leave({ redirectTo }: { readonly redirectTo: string }): void {
    setAnswered(true)
    location.assign(redirectTo)
  }
  const allow = useAction(
    async () => leave(await admin.oauth.approve({ requestId, scopes: granted, containerId: containerId || null })),
    { quiet: true },
  )
  const deny = useAction(async () => leave(await admin.oauth.deny({ requestId })), { quiet: true })
  const words = t.connections
  const failure = allow.failure ?? deny.failure
  if (isAnswered)
    return (
      <Card>
        <p class="pad">{words.answered}</p>
      </Card>
    )
  return (
    <Card label={words.requestTitle(client.name)}>
      <div class="pad stack">
        <p class="muted">{client.host ? words.requestFrom(client.host) : words.requestUnproven}</p>
        <Destination redirect={request.redirect} />
        {organization ? <p>{words.requestFor(organization.name)}</p> : null}
        <fieldset class="stack tight">
          <legend class="strong">{words.may}</legend>
          {scopes
            .filter((scope) => request.scopes.includes(scope))
            .map((scope) => (
              <label key={scope} class="check">
                <input
                  type="checkbox"
                  checked={granted.includes(scope)}
                  onChange={(event) =>
                    setGranted(
                      event.currentTarget.checked ? [...granted, scope] : granted.filter((each) => each !== scope),
                    )
                  }
                />
                <span>{words.scopeHints[scope]}</span>
              </label>
            ))}
        </fieldset>
        <label class="field">
          <span>{words.number}</span>
          <select class="input" value={containerId} onChange={(event) => setContainerId(event.currentTarget.value)}>
            <option value="">{words.everyNumber}</option>
            {numbers.map((number) => (
              <option key={number.containerId} value={number.containerId}>
                {number.label} {number.phoneNumber ? `(${phoneText(number.phoneNumber)})` : ''}
              </option>
            ))}
          </select>
        </label>
        {failure ? <Problem failure={failure} /> : null}
        <p class="row wrap">
          <button
            type="button"
            class="btn primary"
            disabled={allow.busy || granted.length === 0}
            onClick={() => allow.run()}
          >
            {words.allow}
          </button>
          <Button action={deny} label={words.deny} />
        </p>
      </div>
    </Card>
  )
}
