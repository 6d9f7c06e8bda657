import { useQuery } from '@tanstack/preact-query'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { beginSession, loadSession, useSession } from '../session/session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Form, TextField, type Values } from '../ui/form.tsx'
import { t } from '../words/index.ts'

/** Founds an organization and opens it. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const create = useAction(({ name = '' }: Values) => beginSession('new-organization', { name }), { quiet: true })
  return (
    <Dialog title={t.organization.createTitle} size="small" onClose={onClose}>
      <div class="dialog-body">
        <Form action={create} submit={t.organization.create} onDone={onClose} onCancel={onClose}>
          <TextField label={t.organization.newName} name="name" maxLength={100} dir="auto" autofocus />
        </Form>
      </div>
    </Dialog>
  )
}

/** Gives the organization to another member. */
export function TransferDialog({ onClose }: { readonly onClose: () => void }) {
  const team = useQuery({ queryKey: ['team'], queryFn: () => admin.team.list() })
  const twoFactor = useQuery({ queryKey: ['two-factor'], queryFn: () => admin.auth.twoFactor() })
  const self = useSession()?.user?.id
  const transfer = useAction(
    async ({ userId = '', password = '', code = '' }: Values) => {
      await admin.organization.transfer({ userId, password, ...(code ? { code } : {}) })
      await loadSession()
    },
    { stale: ['organization', 'team'], done: t.organization.transferred, quiet: true },
  )
  const others = team.data?.members.filter(({ id }) => id !== self) ?? []
  return (
    <Dialog title={t.organization.transferTitle} size="small" onClose={onClose}>
      <div class="dialog-body">
        <p class="muted">{t.organization.transferHint}</p>
        <Form action={transfer} submit={t.organization.transfer} onDone={onClose} onCancel={onClose}>
          <Choice
            label={t.organization.newOwner}
            name="userId"
            options={others.map(({ id, name, email }) => [id, `${name}, ${email}`])}
          />
          <TextField label={t.organization.password} name="password" type="password" autocomplete="current-password" />
          {twoFactor.data?.enabled ? (
            <TextField label={t.organization.code} name="code" inputMode="numeric" autocomplete="one-time-code" />
          ) : null}
        </Form>
      </div>
    </Dialog>
  )
}
