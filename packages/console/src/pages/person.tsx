import { useQuery } from '@tanstack/preact-query'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { beginSession, endSession } from '../session/session.ts'
import { t } from '../words/index.ts'

/** Who is signed in and for which organization, with the way to another one and out. */
export function Person({ email }: { readonly email: string }) {
  const list = useQuery({ queryKey: ['organizations'], queryFn: () => admin.organization.list() })
  const open = useAction((organizationId: string) => beginSession('switch', { organizationId }))
  const leave = useAction(() => endSession(() => location.reload()))
  const organizations = list.data?.organizations ?? []
  return (
    <footer class="row wrap between small muted">
      <span>{t.session.signedInAs(email)}</span>
      {organizations.length > 1 ? (
        <label class="row">
          {t.nav.organization}
          <select class="input" disabled={open.busy} onChange={(event) => open.run(event.currentTarget.value)}>
            {organizations.map(({ id, name, current }) => (
              <option key={id} value={id} selected={current}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <button type="button" class="link" disabled={leave.busy} onClick={() => leave.run()}>
        {t.shell.signOut}
      </button>
    </footer>
  )
}
