import type { NetworkReport } from '@msgctl/network/gateway'

/** Fields of reports that are dates; JSON has them as text. */
const dates = new Set(['at', 'retry', 'resetsAt', 'blockedUntil'])

/** Returns the event of a report. Hosts translate what arrives themselves, so that it is stored with its keys. */
export function readReport({ body }: { readonly body: Uint8Array }): NetworkReport[] {
  const revive = (name: string, value: unknown) =>
    dates.has(name) && typeof value === 'string' && value !== 'never' ? new Date(value) : value
  return [JSON.parse(Buffer.from(body).toString(), revive) as NetworkReport]
}
