import { QueryClientProvider, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { queries } from '../api/client.ts'
import { consolePath } from '../api/place.ts'
import { useAction } from '../api/use-action.ts'
import { ActionPage } from '../mcp/action.tsx'
import { ConsentPage } from '../mcp/consent.tsx'
import { Entrance, SignInAgain } from '../session/entrance.tsx'
import { type LinkFragment, takeFragment } from '../session/fragment.ts'
import { LinkPage } from '../session/links.tsx'
import { beginSession, endSession, loadSession, type Session, useSession } from '../session/session.ts'
import { SignIn } from '../session/sign-in.tsx'
import { Button } from '../ui/button.tsx'
import { Loading } from '../ui/layout.tsx'
import { LoadProblem } from '../ui/problem.tsx'
import { Toasts } from '../ui/toast.tsx'
import { t } from '../words/index.ts'

/** Who is signed in and for which organization, with the way to another one and out. */
function Person({ email }: { readonly email: string }) {
  const list = useQuery({ queryKey: ['organizations'], queryFn: () => admin.organization.list() })
  const open = useAction((organizationId: string) => beginSession('switch', { organizationId }))
  const leave = useAction(() => endSession(() => location.reload()))
  const organizations = list.data?.organizations ?? []
  return (
    <footer class="row wrap between small muted">
      <span>{t.session.signedInAs(email)}</span>
      {organizations.length > 1 ? (
        <label class="row">
          {t.nav.organization}
          <select class="input" disabled={open.busy} onChange={(event) => open.run(event.currentTarget.value)}>
            {organizations.map(({ id, name, current }) => (
              <option key={id} value={id} selected={current}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <button type="button" class="link" disabled={leave.busy} onClick={() => leave.run()}>
        {t.shell.signOut}
      </button>
    </footer>
  )
}

/** What a link asks a person: about an AI client or an action of one by its id, or what the link of a mail carries. */
type Asked =
  | { readonly page: 'connect' | 'approve'; readonly id: string }
  | { readonly page: 'account'; readonly link: LinkFragment }

/** Returns the id that a fragment such as `#request=0195…` names; undefined for another one. */
function idIn(hash: string, name: string): string | undefined {
  const [, found, id] = /^#(\w+)=([0-9a-f-]{36})$/.exec(hash) ?? []
  return found === name ? id : undefined
}

/** Returns what the address of this page asks; null where it is not complete. Tokens are taken out of the address. */
function readAsked(): Asked | null {
  const page = location.pathname.split('/').at(-1)
  if (page === 'account') {
    const link = takeFragment()
    return link && { page, link }
  }
  if (page !== 'connect' && page !== 'approve') return null
  const id = idIn(location.hash, page === 'connect' ? 'request' : 'action')
  return id === undefined ? null : { page, id }
}

import '../styles/pages.css'

/** What a link opens, with and without the console: the page of a mail, or the question about an AI client. */
function Content() {
  const [asked] = useState(readAsked)
  const boot = useQuery({ queryKey: ['session'], queryFn: loadSession, staleTime: Number.POSITIVE_INFINITY })
  const session = useSession()
  if (boot.isError)
    return (
      <Entrance>
        <LoadProblem error={boot.error} retry={() => boot.refetch()} />
      </Entrance>
    )
  if (session === null)
    return (
      <Entrance>
        <Loading />
      </Entrance>
    )
  if (asked === null)
    return (
      <Entrance title={t.session.incomplete}>
        <p class="muted">{t.session.incompleteHint}</p>
      </Entrance>
    )
  return asked.page === 'account' ? (
    <Account asked={asked} hasConsole={session.console} />
  ) : (
    <AiClient asked={asked} session={session} />
  )
}

interface AccountProps {
  readonly asked: Asked & { readonly page: 'account' }
  readonly hasConsole: boolean
}

function Account({ asked, hasConsole }: AccountProps) {
  const [done, setDone] = useState<string | null>(null)
  const openConsole = hasConsole ? () => location.assign(consolePath) : undefined
  if (done === null) return <LinkPage link={asked.link} onDone={setDone} onLeave={openConsole} />
  return (
    <Entrance title={done}>
      {openConsole ? (
        <Button kind="primary" onClick={openConsole} label={t.session.openConsole} />
      ) : (
        <p class="muted">{t.session.closePage}</p>
      )}
    </Entrance>
  )
}

interface AiClientProps {
  readonly asked: Asked & { readonly page: 'connect' | 'approve' }
  readonly session: Session
}

function AiClient({ asked: { page, id }, session: { user, signUp } }: AiClientProps) {
  if (user === null)
    return (
      <Entrance>
        <SignIn signUp={signUp} onDone={() => {}} />
      </Entrance>
    )
  return (
    <main class="alone">
      {page === 'connect' ? <ConsentPage id={id} /> : <ActionPage id={id} isAlone />}
      <Person email={user.email} />
      <SignInAgain />
    </main>
  )
}

/** The whole page. */
export function LinkPages() {
  return (
    <QueryClientProvider client={queries}>
      <Content />
      <Toasts />
    </QueryClientProvider>
  )
}
