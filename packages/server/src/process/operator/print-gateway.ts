import type { GatewayHostView } from '#networks/gateway/direct/operator-store.ts'
import { table } from './print.ts'

/** The proxy of a number without its password; null: none. */
export interface ShownProxy {
  readonly containerId: string
  readonly proxy: string | null
}

/** Formats gateway hosts, one per line. */
export function gatewayHostsText(hosts: readonly GatewayHostView[]): string {
  if (hosts.length === 0) return 'No gateway host is running.\n'
  return table([
    ['URL', 'VERSION', 'NUMBERS', 'STATE', 'STARTED', 'LAST SEEN'],
    ...hosts.map(({ url, version, capacity, numbers, draining, startedAt, seenAt, isAlive }) => [
      url,
      version,
      `${numbers}/${capacity}`,
      stateOf({ isAlive, draining }),
      startedAt.toISOString(),
      seenAt.toISOString(),
    ]),
  ])
}

function stateOf({ isAlive, draining }: Pick<GatewayHostView, 'isAlive' | 'draining'>): string {
  if (!isAlive) return 'silent'
  return draining ? 'stopping' : 'running'
}

/** Formats the numbers with a proxy, one per line. */
export function proxiesText(proxies: readonly ShownProxy[]): string {
  if (proxies.length === 0) return 'No number connects through a proxy.\n'
  return table([['NUMBER', 'PROXY'], ...proxies.map(({ containerId, proxy }) => [containerId, proxy ?? '-'])])
}

/** Formats a number whose proxy was changed. */
export function proxyText({ containerId, proxy }: ShownProxy): string {
  const how = proxy === null ? 'without a proxy' : `through ${proxy}`
  return `The number ${containerId} connects ${how} from now on. It is connected again within seconds if it runs.\n`
}

/** Formats the numbers of a restored backup. */
export function restoredText({ numbers }: { readonly numbers: number }): string {
  if (numbers === 0) return 'No number is linked.\n'
  const which = numbers === 1 ? '1 number begins' : `${numbers} numbers begin`
  return `${which} new encrypted sessions with everybody when a gateway host connects them. Start the hosts now.\n`
}
