import { QueryClientProvider, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { queries } from '../api/client.ts'
import { consolePath } from '../api/place.ts'
import { ActionPage } from '../mcp/action.tsx'
import { ConsentPage } from '../mcp/consent.tsx'
import { Entrance, SignInAgain } from '../session/entrance.tsx'
import { LinkPage } from '../session/links.tsx'
import { loadSession, type Session, useSession } from '../session/session.ts'
import { SignIn } from '../session/sign-in.tsx'
import { Loading } from '../ui/layout.tsx'
import { LoadProblem } from '../ui/problem.tsx'
import { Toasts } from '../ui/toast.tsx'
import { t } from '../words/index.ts'
import { type Asked, readAsked } from './asked.ts'
import { Person } from './person.tsx'
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
        <button type="button" class="btn primary" onClick={openConsole}>
          {t.session.openConsole}
        </button>
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
