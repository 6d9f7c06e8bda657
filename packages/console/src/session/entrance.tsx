import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { signedOut } from '../api/client.ts'
import { useStore } from '../api/store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { t } from '../words/index.ts'
import { useSession } from './session.ts'
import { SignIn } from './sign-in.tsx'
import '../styles/entrance.css'

/** The frame of everything that is shown before a person is signed in. */
export function Entrance({ title, children }: { readonly title?: string; readonly children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title ?? t.session.signIn} · Msgctl`
  }, [title])
  return (
    <main class="entrance">
      <div class="entrance-box">
        <div class="entrance-brand">
          <span class="logo" aria-hidden />
          <h1>{title ?? t.session.signIn}</h1>
        </div>
        {children}
      </div>
    </main>
  )
}

/** Sign-in over the page, which stays as it was: what was typed there is not lost. */
export function SignInAgain() {
  const ended = useStore(signedOut)
  const session = useSession()
  if (!ended) return null
  return (
    <Dialog title={t.session.signInAgain} size="small" persistent onClose={() => {}}>
      <div class="dialog-body">
        <p class="muted">{t.session.signInAgainHint}</p>
        <SignIn signUp={false} onDone={() => signedOut.set(false)} key={session?.user?.id} />
      </div>
    </Dialog>
  )
}
