import type { TeamListOutput } from '@msgctl/client/admin'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { endSession, useMayManage, useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Face } from '../ui/contact.tsx'
import { Card, Page } from '../ui/layout.tsx'
import { LoadState } from '../ui/problem.tsx'
import { Scroll } from '../ui/scroll.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'
import { Invitations } from './invitations.tsx'
import { InviteDialog } from './invite-dialog.tsx'

type Member = TeamListOutput['members'][number]

/** The members of the organization and the open invitations. */
export function Team() {
  const list = useQuery({ queryKey: ['team'], queryFn: () => admin.team.list() })
  const [inviting, setInviting] = useState(false)
  const mayManage = useMayManage()
  const session = useSession()
  const role = session?.user?.memberRole
  return (
    <Page
      title={t.nav.team}
      beside={
        list.data ? (
          <span class="small muted num">
            {t.team.ofLimit(list.data.members.length + list.data.invitations.length, list.data.limit)}
          </span>
        ) : null
      }
      actions={mayManage ? <Button kind="primary" onClick={() => setInviting(true)} label={t.team.invite} /> : null}
    >
      <Card title={t.team.members}>
        <LoadState of={list} />
        {list.data ? (
          <Scroll label={t.team.members}>
            <table>
              <thead>
                <tr>
                  <th>{t.team.name}</th>
                  <th>{t.team.role}</th>
                  <th>{t.team.twoFactor}</th>
                  <th>{t.team.lastSeen}</th>
                  <th>
                    <span class="unseen">{t.ui.actions}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.data.members.map((member) => (
                  <MemberRow
                    key={member.id}
                    member={member}
                    isSelf={member.id === session?.user?.id}
                    mayManage={mayManage}
                  />
                ))}
              </tbody>
            </table>
          </Scroll>
        ) : null}
      </Card>
      {list.data && list.data.invitations.length > 0 ? (
        <Invitations invitations={list.data.invitations} mayManage={mayManage} />
      ) : null}
      {role === 'owner' || role === undefined ? null : <Leave />}
      {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </Page>
  )
}

interface MemberRowProps {
  readonly member: Member
  readonly isSelf: boolean
  readonly mayManage: boolean
}

function MemberRow({ member, isSelf, mayManage }: MemberRowProps) {
  const { id: userId, name, email, role, twoFactorEnabled, lastSeenAt } = member
  const [asking, setAsking] = useState(false)
  const stale = ['team']
  const change = useAction((next: 'admin' | 'member') => admin.team.changeRole({ userId, role: next }), { stale })
  const remove = useAction(() => admin.team.remove({ userId }), { stale })
  const isOpen = mayManage && role !== 'owner' && !isSelf
  return (
    <tr>
      <td>
        <span class="row">
          <Face id={email} name={name} />
          <span>
            <b dir="auto">{name}</b> {isSelf ? <span class="tag">{t.team.you}</span> : null}
            <span class="block small muted">{email}</span>
          </span>
        </span>
      </td>
      <td>
        {isOpen ? (
          <select
            class="input compact"
            aria-label={t.team.changeRole(name)}
            value={role}
            disabled={change.busy}
            onChange={(event) => change.run(event.currentTarget.value === 'admin' ? 'admin' : 'member')}
          >
            <option value="admin">{t.team.roles.admin}</option>
            <option value="member">{t.team.roles.member}</option>
          </select>
        ) : (
          t.team.roles[role]
        )}
      </td>
      <td class={twoFactorEnabled ? 'is-read' : 'muted'}>{twoFactorEnabled ? t.team.on : t.team.off}</td>
      <td class="muted nowrap">
        <When at={lastSeenAt} />
      </td>
      <td class="actions-cell">
        {isOpen ? <Button kind="danger" onClick={() => setAsking(true)} label={t.team.remove} /> : null}
        {asking ? (
          <Confirm
            title={t.team.removeTitle(name)}
            act={t.team.remove}
            action={remove}
            onClose={() => setAsking(false)}
          >
            <p>{t.team.removeHint}</p>
          </Confirm>
        ) : null}
      </td>
    </tr>
  )
}

function Leave() {
  const [asking, setAsking] = useState(false)
  const leave = useAction(async () => {
    await admin.team.leave()
    await endSession()
  })
  return (
    <p>
      <Button kind="danger" onClick={() => setAsking(true)} label={t.team.leave} />
      {asking ? (
        <Confirm title={t.team.leaveTitle} act={t.team.leave} action={leave} onClose={() => setAsking(false)}>
          <p>{t.team.leaveHint}</p>
        </Confirm>
      ) : null}
    </p>
  )
}
