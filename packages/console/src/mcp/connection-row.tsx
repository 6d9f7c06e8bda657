import type { McpConnectionsOutput } from '@msgctl/client/admin'
import { useState } from 'preact/hooks'
import { admin } from '../api/admin-client.ts'
import { useOverview } from '../api/live.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { When } from '../ui/when.tsx'
import { listOf } from '../words/format.ts'
import { t } from '../words/index.ts'

/** A connection of an AI client, which can be ended. */
export function ConnectionRow({ connection }: { readonly connection: McpConnectionsOutput['connections'][number] }) {
  const { id: connectionId, client, person, scopes, containerId, lastUsedAt } = connection
  const overview = useOverview()
  const [asking, setAsking] = useState(false)
  const end = useAction(() => admin.mcp.endConnection({ connectionId }), { stale: ['connections'] })
  const words = t.connections
  const label = overview?.numbers.find((number) => number.containerId === containerId)?.label
  return (
    <li class="item">
      <span class="grow">
        <b dir="auto">{client.name}</b> {client.host ? <span class="small muted">{client.host}</span> : null}
        <span class="block small muted">
          {words.may} {listOf(scopes.map((scope) => words.scopes[scope]))} ·{' '}
          {containerId === null ? words.everyNumber : label} · {words.allowedBy} {person.name} · {words.lastUsed}{' '}
          <When at={lastUsedAt} />
        </span>
      </span>
      <Button kind="danger" onClick={() => setAsking(true)} label={words.end} />
      {asking ? (
        <Confirm title={words.endTitle(client.name)} act={words.end} action={end} onClose={() => setAsking(false)}>
          <p>{words.endHint}</p>
        </Confirm>
      ) : null}
    </li>
  )
}
