import { QueryClientProvider, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import lazy from 'preact-iso/lazy'
import { LocationProvider } from 'preact-iso/router'
import { queries } from './api/client.ts'
import { consolePath } from './api/place.ts'
import { Entrance, SignInAgain } from './session/entrance.tsx'
import { takeFragment } from './session/fragment.ts'
import { loadSession, useSession } from './session/session.ts'
import { SignIn } from './session/sign-in.tsx'
import { Shell } from './shell/shell.tsx'
import { LoadProblem } from './ui/problem.tsx'
import { Toasts, toast } from './ui/toast.tsx'

const LinkPage = lazy(() => import('./session/links.tsx').then(({ LinkPage }) => LinkPage))

/** The console: a link that led here, sign-in, or the pages. */
function Content() {
  const [link, setLink] = useState(takeFragment)
  const boot = useQuery({ queryKey: ['session'], queryFn: loadSession, staleTime: Number.POSITIVE_INFINITY })
  const session = useSession()
  if (boot.isError)
    return (
      <Entrance>
        <LoadProblem error={boot.error} retry={() => boot.refetch()} />
      </Entrance>
    )
  if (session === null) return null
  if (link !== null) {
    const leave = () => setLink(null)
    const finish = (done: string) => {
      if (done !== '') toast(done)
      leave()
    }
    return <LinkPage link={link} onDone={finish} onLeave={leave} />
  }
  if (session.user === null)
    return (
      <Entrance>
        <SignIn signUp={session.signUp} onDone={() => {}} />
      </Entrance>
    )
  return (
    <>
      <Shell session={session} user={session.user} />
      <SignInAgain />
    </>
  )
}

/** The whole page. */
export function App() {
  return (
    <QueryClientProvider client={queries}>
      <LocationProvider scope={consolePath}>
        <Content />
        <Toasts />
      </LocationProvider>
    </QueryClientProvider>
  )
}
