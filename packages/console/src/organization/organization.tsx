import type { OrganizationGetOutput } from '@msgctl/client/admin'
import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useAction } from '../api/use-action.ts'
import { beginSession, loadSession, useMayManage, useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Form, TextField, type Values } from '../ui/form.tsx'
import { Card, Facts, Page } from '../ui/layout.tsx'
import { LoadProblem, LoadState } from '../ui/problem.tsx'
import { dayOf, listOf } from '../words/format.ts'
import { t } from '../words/index.ts'
import { CreateDialog, TransferDialog } from './dialogs.tsx'

/** The organization of this session, and the others of the person. */
export function OrganizationPage() {
  const found = useQuery({ queryKey: ['organization'], queryFn: () => admin.organization.get() })
  return (
    <Page title={t.nav.organization} narrow>
      <LoadState of={found} />
      {found.data ? <Details key={found.data.organization.id} organization={found.data.organization} /> : null}
      <Others />
    </Page>
  )
}

function Details({ organization }: Pick<OrganizationGetOutput, 'organization'>) {
  const { name, owner, createdAt, members, memberLimit, products, requireTwoFactor } = organization
  const mayManage = useMayManage()
  const isOwner = useSession()?.user?.memberRole === 'owner'
  const [transferring, setTransferring] = useState(false)
  const save = useAction(
    async ({ name: next = '' }: Values) => {
      await admin.organization.update({ name: next })
      await loadSession()
    },
    { stale: ['organization', 'organizations'], done: t.ui.saved, quiet: true },
  )
  const require = useAction((next: boolean) => admin.organization.update({ requireTwoFactor: next }), {
    stale: ['organization'],
    done: t.ui.saved,
  })
  const words = t.organization
  return (
    <Card title={name}>
      <div class="pad stack">
        {mayManage ? (
          <Form action={save} submit={words.save} class="inline">
            <TextField label={words.name} name="name" maxLength={100} defaultValue={name} dir="auto" />
          </Form>
        ) : null}
        <Facts
          facts={[
            [words.owner, `${owner.name}, ${owner.email}`],
            [words.founded, dayOf(createdAt)],
            [words.members, t.team.ofLimit(members, memberLimit)],
            [
              words.products,
              listOf(
                products.map(({ product, state }) => `${t.limitsPage.productNames[product]} (${words.states[state]})`),
              ) || t.ui.none,
            ],
          ]}
        />
        {isOwner ? (
          <>
            <label class="check">
              <input
                type="checkbox"
                checked={requireTwoFactor}
                disabled={require.busy}
                onChange={(event) => require.run(event.currentTarget.checked)}
              />
              <span>
                {words.requireTwoFactor}
                <span class="hint">{words.requireTwoFactorHint}</span>
              </span>
            </label>
            <p>
              <Button kind="danger" onClick={() => setTransferring(true)} label={words.transfer} />
            </p>
          </>
        ) : null}
      </div>
      {transferring ? <TransferDialog onClose={() => setTransferring(false)} /> : null}
    </Card>
  )
}

/** The organizations of the person, and the way into each. */
function Others() {
  const list = useQuery({ queryKey: ['organizations'], queryFn: () => admin.organization.list() })
  const [creating, setCreating] = useState(false)
  const open = useAction((organizationId: string) => beginSession('switch', { organizationId }))
  return (
    <Card
      title={t.organization.yours}
      aside={<Button onClick={() => setCreating(true)} label={t.organization.create} />}
    >
      {list.isError ? <LoadProblem error={list.error} retry={() => list.refetch()} /> : null}
      <ul class="items">
        {list.data?.organizations.map(({ id, name, memberRole, current }) => (
          <li key={id} class="item">
            <span class="grow">
              <b dir="auto">{name}</b> <span class="small muted">{t.team.roles[memberRole]}</span>
            </span>
            {current ? (
              <span class="tag">{t.organization.current}</span>
            ) : (
              <Button disabled={open.busy} onClick={() => open.run(id)} label={t.organization.switch} />
            )}
          </li>
        ))}
      </ul>
      {creating ? <CreateDialog onClose={() => setCreating(false)} /> : null}
    </Card>
  )
}
