import type { NetworkProbe } from '@msgctl/network/calls'
import type { ProbedWay } from '#networks/gateway/direct/probe.ts'
import { type Finding, finding } from './finding.ts'

/** How far the clock of a host may be from that of the network. Its times are whole seconds. */
const toleratedMs = 30_000
/** The code of a login whose version is too old. */
const outdated = 405

const setProxy = 'msgctl-server gateway proxy set'
const update = 'msgctl-server gateway web-version --fetch'

/** Judges the ways to the network. Without a gateway host there is none to try, which WAHA alone does not need. */
export function judgeWays(ways: readonly ProbedWay[], needsHosts = true): Finding[] {
  if (ways.length > 0) return ways.flatMap(judgeWay)
  const text =
    'No gateway host runs. Start one: msgctl-gateway@7070 (docs/run/production.md), or npm run gateway -- start'
  return [{ name: 'Gateway hosts', outcome: needsHosts ? 'failed' : 'note', text }]
}

function judgeWay({ name, probe }: ProbedWay): Finding[] {
  if (typeof probe === 'string') return [{ name: `Way ${name}`, outcome: 'failed', text: probe }]
  return [judgeConnection(name, probe), judgeFiles(name, probe), ...judgeClock(name, probe)]
}

function judgeConnection(name: string, { connection, version }: NetworkProbe): Finding {
  const { host, offeredMs, code, obstacle } = connection
  const ok = `${host} offered a QR after ${offeredMs} ms to version ${version}`
  return finding(`Way ${name}`, offeredMs !== null, ok, faultOf({ host, code, obstacle, version }))
}

function faultOf(found: { host: string; code: number | null; obstacle: string | null; version: string }): string {
  const { host, code, obstacle, version } = found
  if (obstacle !== null) return obstacleText(host, obstacle)
  if (code === outdated) return `The network takes the version ${version} no more. Run: ${update}`
  return `${host} ended the connection with ${code ?? 'no code'} before it offered a QR. Try again in some minutes.`
}

function judgeFiles(name: string, { files: { host, respondedMs, obstacle } }: NetworkProbe): Finding {
  const fault = obstacleText(host, obstacle ?? '')
  return finding(`Files ${name}`, respondedMs !== null, `${host} responded after ${respondedMs} ms`, fault)
}

function judgeClock(name: string, { aheadMs }: NetworkProbe): Finding[] {
  if (aheadMs === null) return []
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const side = aheadMs > 0 ? 'ahead of' : 'behind'
  const text = `The clock of the host is ${seconds} s ${side} the network's. Set it right.`
  const ok = seconds === 0 ? 'agrees with the network' : `within ${seconds} s of the network`
  return [finding(`Clock ${name}`, Math.abs(aheadMs) <= toleratedMs, ok, text)]
}

/** Codes of TLS when the certificate is not that of the network. */
const certificates = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/

function obstacleText(host: string, obstacle: string): string {
  if (/^\d{3}$/.test(obstacle)) return `A proxy responded ${obstacle}. Check its name and password: ${setProxy}`
  if (/ENOTFOUND|EAI_AGAIN/.test(obstacle)) return `The name ${host} is not known (${obstacle}). Check DNS.`
  if (certificates.test(obstacle)) {
    return `The certificate of ${host} is another one (${obstacle}). Let it pass the firewall without inspection.`
  }
  const open = 'Allow connections to port 443 of web.whatsapp.com and *.whatsapp.net.'
  return `${host} cannot be reached (${obstacle}). ${open}`
}
