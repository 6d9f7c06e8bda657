import { useState } from 'preact/hooks'
import { useAction } from '../api/use-action.ts'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { t } from '../words/index.ts'
import { beginSession } from './session.ts'

interface SecondStepProps {
  readonly challenge: string
  readonly onDone: () => void
  readonly onBack: () => void
}

/** The second step of a sign-in: the code of the authenticator, or one of the recovery codes. */
export function SecondStep({ challenge, onDone, onBack }: SecondStepProps) {
  const [recovery, setRecovery] = useState(false)
  const action = useAction((values: Values) => beginSession('two-factor', { challenge, ...values }), { quiet: true })
  return (
    <div class="stack">
      <h2>{t.session.twoSteps}</h2>
      <p class="muted">{t.session.twoStepsHint}</p>
      <Form action={action} submit={t.session.confirm} onDone={onDone} class="wide-button">
        {recovery ? (
          <TextField key="recovery" label={t.session.recoveryCode} name="recoveryCode" autocomplete="off" autofocus />
        ) : (
          <TextField
            key="code"
            label={t.session.code}
            name="code"
            inputMode="numeric"
            pattern="[0-9]{6}"
            maxLength={6}
            autocomplete="one-time-code"
            autofocus
          />
        )}
      </Form>
      <p class="row between">
        <button type="button" class="link small" onClick={() => setRecovery(!recovery)}>
          {recovery ? t.session.useCode : t.session.useRecoveryCode}
        </button>
        <button type="button" class="link small" onClick={onBack}>
          {t.session.backToSignIn}
        </button>
      </p>
    </div>
  )
}
