import type { AuthSetUpTwoFactorOutput } from '@msgctl/client/admin'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Copyable, CopyButton } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { LoadState } from '../ui/problem.tsx'
import { t } from '../words/index.ts'

type Step = 'set-up' | 'turn-off' | 'new-codes'
const stale = ['two-factor']

/** Two-step sign-in of the person: on or off, and its recovery codes. */
export function TwoFactor() {
  const state = useQuery({ queryKey: ['two-factor'], queryFn: () => admin.auth.twoFactor() })
  const [step, setStep] = useState<Step | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const words = t.profile
  const close = () => setStep(null)
  return (
    <Card title={words.twoFactor}>
      <LoadState of={state} />
      {state.data ? (
        <div class="item">
          <span class="grow">
            {state.data.enabled ? words.twoFactorOn(state.data.recoveryCodesLeft) : words.twoFactorOff}
            {state.data.requiredBy.length > 0 ? (
              <span class="block small muted">{words.requiredBy(state.data.requiredBy.join(', '))}</span>
            ) : null}
          </span>
          {state.data.enabled ? (
            <>
              <Button onClick={() => setStep('new-codes')} label={words.newCodes} />
              <Button kind="danger" onClick={() => setStep('turn-off')} label={words.turnOff} />
            </>
          ) : (
            <Button kind="primary" onClick={() => setStep('set-up')} label={words.setUp} />
          )}
        </div>
      ) : null}
      {step === 'set-up' ? <SetUpDialog onClose={close} onCodes={setCodes} /> : null}
      {step === 'turn-off' ? <TurnOffDialog onClose={close} /> : null}
      {step === 'new-codes' ? <NewCodesDialog onClose={close} onCodes={setCodes} /> : null}
      {codes === null ? null : <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  )
}

interface StepProps {
  readonly onClose: () => void
}

interface CodesProps extends StepProps {
  readonly onCodes: (codes: readonly string[]) => void
}

function PasswordField() {
  return (
    <TextField
      label={t.organization.password}
      name="password"
      type="password"
      autocomplete="current-password"
      autofocus
    />
  )
}

function CodeField() {
  return (
    <TextField
      label={t.profile.code}
      name="code"
      inputMode="numeric"
      pattern="[0-9]{6}"
      maxLength={6}
      autocomplete="one-time-code"
    />
  )
}

function SetUpDialog({ onClose, onCodes }: CodesProps) {
  const [secret, setSecret] = useState<AuthSetUpTwoFactorOutput | null>(null)
  const begin = useAction(
    async ({ password = '' }: Values) => setSecret(await admin.auth.setUpTwoFactor({ password })),
    { quiet: true },
  )
  const enable = useAction(
    async ({ code = '' }: Values) => {
      const { recoveryCodes } = await admin.auth.enableTwoFactor({ code })
      onCodes(recoveryCodes)
    },
    { stale, quiet: true },
  )
  return (
    <Dialog title={t.profile.twoFactor} size="small" onClose={onClose}>
      <div class="dialog-body">
        {secret === null ? (
          <Form action={begin} submit={t.profile.setUp} onCancel={onClose}>
            <PasswordField />
          </Form>
        ) : (
          <Form action={enable} submit={t.profile.turnOn} onDone={onClose} onCancel={onClose}>
            <p class="muted">{t.profile.scan}</p>
            <img class="authenticator" src={secret.image} alt={t.profile.qrAlt} width={200} height={200} />
            <p class="small">
              {t.profile.secret} <Copyable text={secret.secret} />
            </p>
            <CodeField />
          </Form>
        )}
      </div>
    </Dialog>
  )
}

function TurnOffDialog({ onClose }: StepProps) {
  const turnOff = useAction(({ password = '', code = '' }: Values) => admin.auth.disableTwoFactor({ password, code }), {
    stale,
    quiet: true,
  })
  return (
    <Dialog title={t.profile.turnOff} size="small" onClose={onClose}>
      <div class="dialog-body">
        <Form action={turnOff} submit={t.profile.turnOff} onDone={onClose} onCancel={onClose}>
          <PasswordField />
          <CodeField />
        </Form>
      </div>
    </Dialog>
  )
}

function NewCodesDialog({ onClose, onCodes }: CodesProps) {
  const renew = useAction(
    async ({ password = '', code = '' }: Values) => {
      const { recoveryCodes } = await admin.auth.newRecoveryCodes({ password, code })
      onCodes(recoveryCodes)
    },
    { stale, quiet: true },
  )
  return (
    <Dialog title={t.profile.newCodes} size="small" onClose={onClose}>
      <div class="dialog-body">
        <Form action={renew} submit={t.profile.newCodes} onDone={onClose} onCancel={onClose}>
          <PasswordField />
          <CodeField />
        </Form>
      </div>
    </Dialog>
  )
}

function CodesDialog({ codes, onClose }: StepProps & { readonly codes: readonly string[] }) {
  return (
    <Dialog title={t.profile.codesTitle} size="small" persistent onClose={onClose}>
      <form method="dialog" class="dialog-body">
        <p class="muted">{t.profile.codesHint}</p>
        <output class="json" dir="ltr">
          {codes.join('\n')}
        </output>
        <footer>
          <CopyButton text={codes.join('\n')} />
          <button type="submit" class="btn primary">
            {t.keys.stored}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
