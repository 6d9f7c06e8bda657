import type { McpActionsOutput } from '@msgctl/client/admin'
import { useQuery } from '@tanstack/preact-query'
import { admin } from '../api/admin-client.ts'
import { pagePath, servicePath } from '../api/place.ts'
import { Copyable } from '../ui/copy.tsx'
import { Card, Empty, Page } from '../ui/layout.tsx'
import { Bot } from '../ui/marks.ts'
import { LoadState } from '../ui/problem.tsx'
import { When } from '../ui/when.tsx'
import { t } from '../words/index.ts'
import { ConnectionRow } from './connection-row.tsx'

const actionsPollMs = 5_000

/** The AI clients that are connected, and what they wait for. */
export function Connections() {
  const connections = useQuery({ queryKey: ['connections'], queryFn: () => admin.mcp.connections() })
  const actions = useQuery({
    queryKey: ['mcp-actions'],
    queryFn: () => admin.mcp.actions({}),
    refetchInterval: actionsPollMs,
  })
  const found = connections.data?.connections ?? []
  return (
    <Page title={t.nav.connections} beside={<span class="small muted">{t.connections.intro}</span>} narrow>
      {actions.data && actions.data.actions.length > 0 ? <Actions actions={actions.data.actions} /> : null}
      <Card title={t.nav.connections}>
        <LoadState of={connections} />
        {connections.isSuccess && found.length === 0 ? (
          <Empty title={t.connections.none} mark={<Bot size={20} aria-hidden />}>
            <p>{t.connections.noneHint}</p>
            <p>
              <Copyable text={`${location.origin}${servicePath('/mcp')}`} />
            </p>
          </Empty>
        ) : null}
        <ul class="items">
          {found.map((connection) => (
            <ConnectionRow key={connection.id} connection={connection} />
          ))}
        </ul>
      </Card>
    </Page>
  )
}

function Actions({ actions }: Pick<McpActionsOutput, 'actions'>) {
  return (
    <Card title={t.connections.recent}>
      <ul class="items">
        {actions.map(({ id, summary, state, requestedAt, connection }) => (
          <li key={id}>
            <a class="item" href={pagePath(`connections/${id}`)}>
              <span class="grow">
                <b class="cut block" dir="auto">
                  {summary}
                </b>
                <span class="small muted">{t.connections.from(connection.name)}</span>
              </span>
              <span class={state === 'pending' ? 'is-held strong' : 'muted'}>{t.connections.states[state]}</span>
              <span class="xs muted">
                <When at={requestedAt} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
