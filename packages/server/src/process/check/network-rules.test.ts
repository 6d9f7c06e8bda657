import type { NetworkProbe } from '@msgctl/network/calls'
import { describe, expect, it } from 'vitest'
import { judgeWays } from './network-rules.ts'

const good: NetworkProbe = {
  version: '2.3000.1043857760',
  connection: { host: 'web.whatsapp.com', offeredMs: 410, code: null, obstacle: null },
  files: { host: 'mmg.whatsapp.net', respondedMs: 90, obstacle: null },
  aheadMs: 300,
}

/** Returns the findings about a way of a host. */
function judge(change: Partial<NetworkProbe>): string[] {
  const found = judgeWays([{ name: 'http://10.0.0.7:3200', probe: { ...good, ...change } }])
  return found.map(({ name, outcome, text }) => `${outcome} ${name.split(' ')[0]}: ${text}`)
}

const connection = (fault: Partial<NetworkProbe['connection']>) => ({
  connection: { ...good.connection, offeredMs: null, ...fault },
})

describe('the ways to the network', () => {
  it('are good when the network offers a QR and the files respond', () => {
    expect(judge({})).toEqual([
      'ok Way: web.whatsapp.com offered a QR after 410 ms to version 2.3000.1043857760',
      'ok Files: mmg.whatsapp.net responded after 90 ms',
      'ok Clock: agrees with the network',
    ])
  })

  it.each([
    ['ENOTFOUND', 'The name web.whatsapp.com is not known (ENOTFOUND). Check DNS.'],
    ['ECONNREFUSED', 'web.whatsapp.com cannot be reached (ECONNREFUSED). Allow connections to port 443'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'Let it pass the firewall without inspection.'],
    ['407', 'A proxy responded 407. Check its name and password: msgctl-server gateway proxy set'],
  ])('say what to do about %s', (obstacle, text) => {
    expect(judge(connection({ obstacle }))[0]).toContain(text)
  })

  it('say what to do about a version that the network takes no more, and show any other code', () => {
    expect(judge(connection({ code: 405 }))[0]).toMatch(/^failed .*2\.3000\.1043857760 no more\. Run: .*--fetch$/)
    expect(judge(connection({ code: 503 }))[0]).toMatch(/^failed .*with 503 before it offered a QR/)
  })

  it('include the files and the clock', () => {
    const files = { host: 'mmg.whatsapp.net', respondedMs: null, obstacle: 'ETIMEDOUT' }
    expect(judge({ files, aheadMs: null })[1]).toMatch(/^failed Files: mmg\.whatsapp\.net cannot be reached/)
    expect(judge({ aheadMs: -61_000 })[2]).toBe(
      "failed Clock: The clock of the host is 61 s behind the network's. Set it right.",
    )
  })

  it('need a gateway host that runs and responds', () => {
    expect(judgeWays([])).toMatchObject([{ name: 'Gateway hosts', outcome: 'failed' }])
    expect(judgeWays([], false)).toMatchObject([{ name: 'Gateway hosts', outcome: 'note' }])
    const silent = judgeWays([{ name: 'http://10.0.0.7:3200', probe: 'The gateway host does not respond.' }])
    expect(silent).toMatchObject([{ outcome: 'failed', text: 'The gateway host does not respond.' }])
  })
})
