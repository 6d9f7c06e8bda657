import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Form, TextField, type Values } from '../ui/form.tsx'
import { t } from '../words/index.ts'

/** Invites a person to the team. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [link, setLink] = useState<string | null>(null)
  const [role, setRole] = useState('member')
  const invite = useAction(
    async (values: Values) => {
      const answer = await admin.team.invite({
        email: values.email ?? '',
        role: values.role === 'admin' ? 'admin' : 'member',
      })
      if (answer.link) setLink(answer.link)
      else onClose()
    },
    { stale: ['team'], done: t.team.invited, quiet: true },
  )
  if (link !== null) return <InvitationLink link={link} onClose={onClose} />
  return (
    <Dialog title={t.team.inviteTitle} size="small" onClose={onClose}>
      <div class="dialog-body">
        <Form action={invite} submit={t.team.invite} onCancel={onClose}>
          <TextField label={t.team.email} name="email" type="email" autofocus />
          <Choice
            label={t.team.role}
            name="role"
            value={role}
            options={[
              ['member', t.team.roles.member],
              ['admin', t.team.roles.admin],
            ]}
            hint={role === 'admin' ? t.team.roleHints.admin : t.team.roleHints.member}
            onChange={setRole}
          />
        </Form>
      </div>
    </Dialog>
  )
}

/** The link of an invitation, on a service that sends no mail. */
export function InvitationLink({ link, onClose }: { readonly link: string; readonly onClose: () => void }) {
  return (
    <Dialog title={t.team.link} size="small" onClose={onClose}>
      <div class="dialog-body">
        <p class="muted">{t.team.linkHint}</p>
        <output class="json" dir="ltr">
          {link}
        </output>
        <footer>
          <CopyButton text={link} />
        </footer>
      </div>
    </Dialog>
  )
}
