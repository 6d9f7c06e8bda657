import type { AuthSessionsOutput } from '@msgctl/client/admin'
import { useQuery } from '@tanstack/preact-query'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { ConnectionRow } from '../mcp/connection-row.tsx'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { Card, Page } from '../ui/layout.tsx'
import { LoadState } from '../ui/problem.tsx'
import { toast } from '../ui/toast.tsx'
import { dayAndTime } from '../words/format.ts'
import { t } from '../words/index.ts'
import { TwoFactor } from './two-factor.tsx'

/** What belongs to the person: sessions, AI clients, password, two-step sign-in. */
export function Profile() {
  const user = useSession()?.user
  return (
    <Page title={t.nav.profile} beside={<span class="small muted">{user?.email}</span>} narrow>
      <Sessions />
      <AiClients />
      <TwoFactor />
      <Password />
    </Page>
  )
}

function Sessions() {
  const list = useQuery({ queryKey: ['sessions'], queryFn: () => admin.auth.sessions() })
  const endAll = useAction(
    async () => {
      const { ended } = await admin.auth.endSessions()
      toast(t.profile.ended(ended))
    },
    { stale: ['sessions', 'connections'] },
  )
  return (
    <Card title={t.profile.sessions} aside={<Button action={endAll} label={t.profile.endAll} />}>
      <LoadState of={list} />
      <ul class="items">
        {list.data?.sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Card>
  )
}

function SessionRow({ session }: { readonly session: AuthSessionsOutput['sessions'][number] }) {
  const { id: sessionId, client, ip, organization, lastUsedAt, current } = session
  const end = useAction(() => admin.auth.endSession({ sessionId }), { stale: ['sessions'] })
  return (
    <li class="item">
      <span class="grow">
        <b>{client ?? t.profile.unknownClient}</b> {current ? <span class="tag">{t.profile.thisOne}</span> : null}
        <span class="block small muted">
          <span dir="auto">{organization.name}</span>
          {ip ? ` · ${ip}` : ''} · {t.profile.lastUsed} {dayAndTime(lastUsedAt)}
        </span>
      </span>
      {current ? null : <Button action={end} label={t.profile.end} />}
    </li>
  )
}

/** The AI clients that the person has allowed to act for them in the open organization; nothing without any. */
function AiClients() {
  const session = useSession()
  const list = useQuery({ queryKey: ['connections'], queryFn: () => admin.mcp.connections() })
  const own = (list.data?.connections ?? []).filter(({ person }) => person.id === session?.user?.id)
  if (own.length === 0) return null
  return (
    <Card title={t.profile.aiClients}>
      <p class="pad small muted">{t.profile.aiClientsHint(session?.organization?.name ?? '')}</p>
      <ul class="items">
        {own.map((connection) => (
          <ConnectionRow key={connection.id} connection={connection} />
        ))}
      </ul>
    </Card>
  )
}

function Password() {
  const change = useAction(
    ({ currentPassword = '', newPassword = '' }: Values) => admin.auth.changePassword({ currentPassword, newPassword }),
    { stale: ['sessions', 'connections'], done: t.profile.passwordChanged, quiet: true },
  )
  const user = useSession()?.user
  return (
    <Card title={t.profile.password}>
      <div class="pad">
        <Form action={change} submit={t.profile.changePassword}>
          <input type="hidden" name="username" autocomplete="username" value={user?.email} />
          <div class="fields">
            <TextField
              label={t.profile.currentPassword}
              name="currentPassword"
              type="password"
              autocomplete="current-password"
            />
            <TextField
              label={t.profile.newPassword}
              name="newPassword"
              type="password"
              autocomplete="new-password"
              hint={t.session.passwordHint}
            />
          </div>
        </Form>
      </div>
    </Card>
  )
}
