import type { GatewayHostView } from '#networks/gateway/direct/operator-store.ts'
import type { RetiredLink } from '#networks/gateway/direct/retired-link-store.ts'
import type { WebVersion } from '#networks/gateway/direct/web-version.ts'
import { table } from './print.ts'

/** The proxy of a number without its password; null: none. */
export interface ShownProxy {
  readonly containerId: string
  readonly proxy: string | null
}

/** A gateway host with the version that it claims to be. */
export interface ShownHost extends Omit<GatewayHostView, 'fixedWebVersion'> {
  readonly webVersion: string
  /** Whether its setting GATEWAY_WEB_VERSION names it. */
  readonly isWebVersionFixed: boolean
}

/** Formats gateway hosts, one per line. */
export function gatewayHostsText(hosts: readonly ShownHost[]): string {
  if (hosts.length === 0) return 'No gateway host is running.\n'
  return table([
    ['URL', 'VERSION', 'NUMBERS', 'STATE', 'STARTED', 'LAST SEEN', 'WEB VERSION'],
    ...hosts.map(({ url, version, capacity, numbers, draining, startedAt, seenAt, isAlive, ...web }) => [
      url,
      version,
      `${numbers}/${capacity}`,
      stateOf({ isAlive, draining }),
      startedAt.toISOString(),
      seenAt.toISOString(),
      `${web.webVersion}${web.isWebVersionFixed ? ' (fixed)' : ''}`,
    ]),
  ])
}

function stateOf({ isAlive, draining }: Pick<GatewayHostView, 'isAlive' | 'draining'>): string {
  if (!isAlive) return 'silent'
  return draining ? 'stopping' : 'running'
}

const sources = { fetched: 'fetched from the network', set: 'set by an operator', release: 'that of this release' }

/** Formats the version that hosts claim to be, with its source. */
export function webVersionText({ version, source, knownAt, triedAt, fault }: WebVersion): string {
  const known = `${version}, ${sources[source]}; known as the present one at ${knownAt.toISOString()}\n`
  if (fault === null || triedAt === null) return known
  return `${known}The last try to fetch it failed at ${triedAt.toISOString()}: ${fault}.\n`
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

/** Formats links that the network ended, one per line. */
export function linksText(links: readonly RetiredLink[]): string {
  if (links.length === 0) return 'No ended link is kept.\n'
  return table([
    ['NUMBER', 'ENDED', 'SINCE THEN'],
    ...links.map(({ containerId, retiredAt, isLinked }) => [
      containerId,
      retiredAt.toISOString(),
      isLinked ? 'linked again' : 'not linked',
    ]),
  ])
}

/** Formats a link that was restored. */
export function restoredLinkText({ containerId, retiredAt }: RetiredLink): string {
  return (
    `The link of ${containerId} that ended at ${retiredAt.toISOString()} is restored. If the number is started, a ` +
    'gateway host connects it within seconds. If the phone has removed the device, the number shows a QR again.\n'
  )
}

/** Formats the numbers of a restored backup. */
export function restoredText({ numbers }: { readonly numbers: number }): string {
  if (numbers === 0) return 'No number is linked.\n'
  const which = numbers === 1 ? '1 number begins' : `${numbers} numbers begin`
  return `${which} new encrypted sessions with everybody when a gateway host connects them. Start the hosts now.\n`
}
