import type { HostView } from '#networks/gateway/waha/manage.ts'
import { table } from './print.ts'

/** Formats a WAHA server that was added, with advice about it. */
export function hostAddedText({ host, advice }: { host: HostView; advice: readonly string[] }): string {
  const lines = [
    `Added ${host.url} (${host.engine} ${host.version}) for ${host.capacity} numbers. It has ${host.numbers}.`,
    ...(host.groups ? [] : ['Its numbers receive nothing of groups.']),
    ...advice,
  ]
  return `${lines.join('\n')}\n`
}

/** Formats WAHA servers, one per line. */
export function hostsText(hosts: readonly HostView[]): string {
  if (hosts.length === 0) return 'There is no WAHA server yet. Add one with msgctl-server waha add.\n'
  return table([
    ['URL', 'ENGINE', 'VERSION', 'NUMBERS', 'STATE', 'LAST SEEN'],
    ...hosts.map(({ url, engine, version, capacity, numbers, draining, seenAt }) => [
      url,
      engine,
      version,
      `${numbers}/${capacity}`,
      draining ? 'draining' : 'in use',
      seenAt?.toISOString() ?? '-',
    ]),
  ])
}

/** Formats a WAHA server that takes no further numbers. */
export function hostDrainedText({ url, numbers }: HostView): string {
  const stay = numbers === 1 ? 'Its 1 number stays' : `Its ${numbers} numbers stay`
  return `No further numbers are placed on ${url}. ${stay}: moving one means linking it again on another server.\n`
}
