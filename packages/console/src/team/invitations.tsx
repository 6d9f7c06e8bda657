import type { TeamListOutput } from '@msgctl/client/admin'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/layout.tsx'
import { dayOf } from '../words/format.ts'
import { t } from '../words/index.ts'
import { InvitationLink } from './invite-dialog.tsx'

type Invitation = TeamListOutput['invitations'][number]

interface InvitationsProps {
  readonly invitations: readonly Invitation[]
  readonly mayManage: boolean
}

/** The invitations that were not accepted yet. */
export function Invitations({ invitations, mayManage }: InvitationsProps) {
  return (
    <Card title={t.team.invitations}>
      <ul class="items">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} mayManage={mayManage} />
        ))}
      </ul>
    </Card>
  )
}

function InvitationRow({ invitation, mayManage }: { readonly invitation: Invitation; readonly mayManage: boolean }) {
  const { id: invitationId, email, role, expiresAt } = invitation
  const [link, setLink] = useState<string | null>(null)
  const resend = useAction(
    async () => {
      const answer = await admin.team.resendInvitation({ invitationId })
      setLink(answer.link ?? null)
    },
    { stale: ['team'], done: t.team.invited },
  )
  const withdraw = useAction(() => admin.team.cancelInvitation({ invitationId }), { stale: ['team'] })
  return (
    <li class="item">
      <span class="grow">
        <b>{email}</b>
        <span class="block small muted">
          {t.team.roles[role]} · {t.team.expires} {dayOf(expiresAt)}
        </span>
      </span>
      {mayManage ? (
        <>
          <Button action={resend} label={t.team.resend} />
          <Button kind="danger" action={withdraw} label={t.team.withdraw} />
        </>
      ) : null}
      {link === null ? null : <InvitationLink link={link} onClose={() => setLink(null)} />}
    </li>
  )
}
