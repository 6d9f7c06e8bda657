import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAction } from '../api/use-action.ts'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { t } from '../words/index.ts'
import { SecondStep } from './second-step.tsx'
import { beginSession } from './session.ts'

interface SignInProps {
  readonly onDone: () => void
  readonly signUp: boolean
}

type View = 'sign-in' | 'sign-up' | 'forgot'

/** Signs a person in, in one step or two, or leads to a new account or password. */
export function SignIn({ onDone, signUp }: SignInProps) {
  const [view, setView] = useState<View>('sign-in')
  const [challenge, setChallenge] = useState<string | null>(null)
  if (challenge !== null) return <SecondStep challenge={challenge} onDone={onDone} onBack={() => setChallenge(null)} />
  if (view === 'forgot') return <Forgot onBack={() => setView('sign-in')} />
  if (view === 'sign-up') return <SignUp onDone={onDone} onBack={() => setView('sign-in')} />
  return (
    <Credentials onDone={onDone} onChallenge={setChallenge} onForgot={() => setView('forgot')}>
      {signUp ? (
        <p class="small muted centered">
          {t.session.noAccount}{' '}
          <button type="button" class="link" onClick={() => setView('sign-up')}>
            {t.session.signUp}
          </button>
        </p>
      ) : null}
    </Credentials>
  )
}

interface CredentialsProps {
  readonly onDone: () => void
  readonly onChallenge: (challenge: string) => void
  readonly onForgot: () => void
  readonly children: ComponentChildren
}

function Credentials({ onDone, onChallenge, onForgot, children }: CredentialsProps) {
  const action = useAction(
    async (values: Values) => {
      const result = await beginSession('sign-in', values)
      if (result.twoFactorRequired) onChallenge(result.challenge)
      else onDone()
    },
    { quiet: true },
  )
  return (
    <>
      <Form action={action} submit={t.session.signIn} class="wide-button">
        <TextField label={t.session.email} name="email" type="email" autocomplete="username" autofocus />
        <TextField label={t.session.password} name="password" type="password" autocomplete="current-password" />
        <button type="button" class="link small" onClick={onForgot}>
          {t.session.forgot}
        </button>
      </Form>
      {children}
    </>
  )
}

function Forgot({ onBack }: { readonly onBack: () => void }) {
  const [sent, setSent] = useState(false)
  const action = useAction(
    async (values: Values) => {
      const { admin } = await import('../api/admin-client.ts')
      await admin.auth.forgotPassword({ email: values.email ?? '' })
    },
    { quiet: true },
  )
  return (
    <div class="stack">
      <h2>{t.session.forgotTitle}</h2>
      {sent ? (
        <p role="status">{t.session.forgotSent}</p>
      ) : (
        <>
          <p class="muted">{t.session.forgotHint}</p>
          <Form action={action} submit={t.session.forgotSend} onDone={() => setSent(true)} class="wide-button">
            <TextField label={t.session.email} name="email" type="email" autocomplete="username" autofocus />
          </Form>
        </>
      )}
      <button type="button" class="link small" onClick={onBack}>
        {t.session.backToSignIn}
      </button>
    </div>
  )
}

function SignUp({ onDone, onBack }: { readonly onDone: () => void; readonly onBack: () => void }) {
  const action = useAction((values: Values) => beginSession('sign-up', values), { quiet: true })
  return (
    <div class="stack">
      <h2>{t.session.signUpTitle}</h2>
      <Form action={action} submit={t.session.signUp} onDone={onDone} class="wide-button">
        <TextField label={t.session.name} name="name" autocomplete="name" autofocus />
        <TextField label={t.session.email} name="email" type="email" autocomplete="username" />
        <TextField
          label={t.session.password}
          name="password"
          type="password"
          autocomplete="new-password"
          hint={t.session.passwordHint}
        />
        <TextField label={t.session.organizationName} name="organizationName" autocomplete="organization" />
      </Form>
      <button type="button" class="link small" onClick={onBack}>
        {t.session.haveAccount} {t.session.signIn}
      </button>
    </div>
  )
}
