import { type Finding, finding } from './finding.ts'

/** The hosts that can hold numbers of the real networks. */
interface Hosts {
  readonly waha: readonly { readonly draining: boolean; readonly numbers: number; readonly capacity: number }[]
  readonly direct: readonly { readonly draining: boolean; readonly isAlive: boolean }[]
}

/** Judges whether a number that is added has a host: without one it cannot be linked to a phone. */
export function judgeHosts(gateway: string, { waha, direct }: Hosts): Finding[] {
  if (gateway === 'waha') return [judgeWaha(waha)]
  return gateway === 'direct' ? [judgeDirect(direct)] : []
}

function judgeWaha(servers: Hosts['waha']): Finding {
  const open = servers.filter(({ draining, numbers, capacity }) => !draining && numbers < capacity)
  const none =
    servers.length === 0
      ? 'There is no WAHA server, so no number can be linked.'
      : 'Every WAHA server is full or draining, so no further number can be linked.'
  const text = `${none} Add one: msgctl-server waha add (docs/run/production.md).`
  return finding('WAHA servers', open.length > 0, `${open.length} of ${servers.length} take numbers`, text, 'note')
}

function judgeDirect(hosts: Hosts['direct']): Finding {
  const alive = hosts.filter(({ isAlive }) => isAlive)
  const open = alive.filter(({ draining }) => !draining)
  const text =
    'No gateway host runs, so no number can be linked. Start one: msgctl-gateway@7070 (docs/run/production.md).'
  return finding('Gateway hosts', open.length > 0, `${open.length} of ${alive.length} take numbers`, text, 'note')
}
