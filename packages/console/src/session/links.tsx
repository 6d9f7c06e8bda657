import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { type Failure, failureOf } from '../api/failure.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { Loading } from '../ui/layout.tsx'
import { Problem } from '../ui/problem.tsx'
import { t } from '../words/index.ts'
import { Entrance } from './entrance.tsx'
import type { LinkFragment } from './fragment.ts'
import { SecondStep } from './second-step.tsx'
import { beginSession } from './session.ts'

interface LinkProps {
  readonly token: string
  /** Called when the link is used up, with what was done; empty where the next page shows it. */
  readonly onDone: (done: string) => void
  /** Leads to the console, or to sign-in; undefined where there is none. */
  readonly onLeave?: (() => void) | undefined
}

/** Opens the link that led here. */
export function LinkPage({ link, ...ways }: Omit<LinkProps, 'token'> & { readonly link: LinkFragment }) {
  const props = { token: link.token, ...ways }
  if (link.kind === 'welcome') return <Welcome {...props} />
  if (link.kind === 'join') return <Join {...props} />
  return link.kind === 'reset' ? <Reset {...props} /> : <Verify {...props} />
}

function Welcome({ token, onDone, onLeave }: LinkProps) {
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    beginSession('welcome', { code: token }).then(
      () => onDone(''),
      (error: unknown) => setFailure(failureOf(error)),
    )
  }, [token])
  if (failure === null)
    return (
      <Entrance title={t.session.welcome}>
        <Loading />
      </Entrance>
    )
  return (
    <Entrance title={t.session.welcomeFailed}>
      <p class="muted">{t.session.welcomeFailedHint}</p>
      <Problem failure={failure} />
      {onLeave ? <Button kind="primary" onClick={onLeave} label={t.session.signIn} /> : null}
    </Entrance>
  )
}

function Join({ token, onDone, onLeave }: LinkProps) {
  const [challenge, setChallenge] = useState<string | null>(null)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => admin.auth.invitation({ token }),
    // The new session makes everything stale, and uses the link up.
    staleTime: 'static',
  })
  const joined = () => onDone(t.session.joined(invitation.data?.organizationName ?? ''))
  const action = useAction(
    async (values: Values) => {
      const result = await beginSession('join', { token, password: values.password, name: values.name })
      if (result.twoFactorRequired) setChallenge(result.challenge)
      else joined()
    },
    { quiet: true },
  )
  if (invitation.isError) return <DeadLink error={invitation.error} onLeave={onLeave} />
  if (!invitation.data)
    return (
      <Entrance title={t.nav.team}>
        <Loading />
      </Entrance>
    )
  const { organizationName, email, role, invitedBy, registered } = invitation.data
  return (
    <Entrance title={t.session.join(organizationName)}>
      {challenge === null ? (
        <>
          <p class="muted">{t.session.joinHint(invitedBy, t.roles[role])}</p>
          {registered ? <p class="muted">{t.session.joinExisting}</p> : null}
          <Form action={action} submit={t.session.joinButton} class="wide-button">
            <TextField
              label={t.session.email}
              name="email"
              type="email"
              value={email}
              autocomplete="username"
              readOnly
            />
            {registered ? null : <TextField label={t.session.name} name="name" autocomplete="name" autofocus />}
            <TextField
              label={t.session.password}
              name="password"
              type="password"
              autocomplete={registered ? 'current-password' : 'new-password'}
              hint={registered ? undefined : t.session.passwordHint}
            />
          </Form>
        </>
      ) : (
        <SecondStep challenge={challenge} onDone={joined} onBack={() => setChallenge(null)} />
      )}
    </Entrance>
  )
}

function Reset({ token, onDone }: LinkProps) {
  const action = useAction((values: Values) => admin.auth.resetPassword({ token, password: values.password ?? '' }), {
    quiet: true,
  })
  return (
    <Entrance title={t.session.resetTitle}>
      <Form
        action={action}
        submit={t.session.resetButton}
        class="wide-button"
        onDone={() => onDone(t.session.resetDone)}
      >
        <TextField
          label={t.session.newPassword}
          name="password"
          type="password"
          autocomplete="new-password"
          hint={t.session.passwordHint}
          autofocus
        />
      </Form>
    </Entrance>
  )
}

function Verify({ token, onLeave }: LinkProps) {
  const verification = useQuery({
    queryKey: ['verify', token],
    queryFn: () => admin.auth.verifyEmail({ token }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (verification.isError) return <DeadLink error={verification.error} onLeave={onLeave} />
  return (
    <Entrance title={verification.isSuccess ? t.session.verified : t.session.verifying}>
      {verification.isSuccess ? null : <Loading />}
      {verification.isSuccess && onLeave ? (
        <Button kind="primary" onClick={onLeave} label={t.session.continue} />
      ) : null}
    </Entrance>
  )
}

function DeadLink({ error, onLeave }: { readonly error: unknown } & Pick<LinkProps, 'onLeave'>) {
  return (
    <Entrance title={t.session.linkInvalid}>
      <Problem failure={failureOf(error)} />
      {onLeave ? <Button onClick={onLeave} label={t.session.backToSignIn} /> : null}
    </Entrance>
  )
}
