import type { InspectedHost } from '#networks/gateway/waha/manage.ts'
import { type Finding, finding } from './finding.ts'

/** Numbers that work report something more often than this, unless their people are asleep. */
const quietSeconds = 3600

/** Judges WAHA servers: whether each can be used, what its operator should change, and whether its webhooks arrive. */
export function judgeWahaServers(hosts: readonly InspectedHost[], callbackUrl: string): Finding[] {
  return hosts.flatMap((host) => {
    const name = `WAHA ${host.url}`
    const { found } = host
    if (typeof found === 'string') return [{ name, outcome: 'failed', text: found }]
    return [
      { name, outcome: 'ok', text: `${found.engine} ${found.version} made and deleted a session in ${host.tookMs} ms` },
      ...found.advice.map((text): Finding => ({ name, outcome: 'note', text })),
      judgeWebhooks(host, callbackUrl),
    ]
  })
}

function judgeWebhooks({ url, working, heardSecondsAgo }: InspectedHost, callbackUrl: string): Finding {
  const name = `Webhooks ${url}`
  const way = `Check that this server reaches ${callbackUrl} (GATEWAY_CALLBACK_URL).`
  if (working === 0) return { name, outcome: 'note', text: `No number works there, so none is expected. ${way}` }
  if (heardSecondsAgo === null) return { name, outcome: 'failed', text: `None arrived yet. ${way}` }
  const minutes = Math.ceil(heardSecondsAgo / 60)
  const ok = `the last one arrived within ${minutes} min`
  return finding(name, heardSecondsAgo <= quietSeconds, ok, `The last one arrived ${minutes} min ago. ${way}`, 'note')
}
