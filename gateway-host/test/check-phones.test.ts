import { readFileSync } from 'node:fs'
import path from 'node:path'
import { rows } from '@msgctl/server/platform/db/db'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RuleName } from './network/rules/rules.ts'
import { type LabNumber, openPhonesLab } from './phones-lab.ts'

const lab = await openPhonesLab(2)
const { net } = lab

/** A person says that they see nothing of what is asked about. */
const nothing = 'n'

interface Numbers {
  readonly number: LabNumber
  readonly peer: LabNumber
}

function words({ number, peer }: Numbers, ...more: string[]): string[] {
  return ['--number', number.containerId, '--peer', peer.containerId, '--yes', '--wait', '4', ...more]
}

/** Checks two numbers, and returns what is not ok, as the operator reads it. */
async function faultsOf(pair: Numbers, only: string, sees: string | null = null): Promise<string[]> {
  const { out } = await lab.check(words(pair, '--only', only), sees)
  return out.split('\n').filter((line) => line.startsWith('failed'))
}

/** Lets the network have faults until the end of the test. */
async function setFaults(faults: Parameters<typeof net.setFaults>[0]): Promise<void> {
  await net.setFaults(faults)
  onTestFinished(() => net.setFaults({}).then(() => undefined))
}

describe('check network with two numbers', { timeout: 120_000 }, () => {
  it('finds everything good over a network as it is since September 2026', async () => {
    const { out, exitCode } = await lab.check(words(await lab.newPair()))
    const lines = out.split('\n')
    expect(lines.filter((line) => line.startsWith('failed'))).toEqual([])
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^ok {6}Cold text +sent \d+\.\d s, delivered \d+\.\d s, received \d+\.\d s$/m)
    expect(out).toMatch(/^ok {6}Photo .*, file of 2355 bytes identical$/m)
    const names = lines.filter((line) => line.startsWith('ok')).map((line) => line.slice(8).split(/ {2}| http/)[0])
    expect(names.filter((name) => !/^(?:Way|Files|Clock|Web version)$/.test(name ?? ''))).toEqual([
      ...[expect.stringMatching(/^Check of \+1555/), expect.stringMatching(/^Check of \+1555/)],
      ...['Cold text', 'Text back', 'Photo', 'Video', 'File', 'Voice note', 'Location', 'Contact', 'Link', 'Poll'],
      ...['Edit', 'Caption', 'Forward', 'Delete'],
    ])
    expect(await net.broken({})).toEqual({ rules: {} })
  })

  it('ends the host of the number once, and sends again', async () => {
    const pair = await lab.newPair()
    const { out, exitCode } = await lab.check(words(pair, '--only', 'check', '--kill'))
    expect(out).toMatch(/^ok {6}Host ended +process \d+ ended, both numbers connected again after \d+\.\d s$/m)
    expect(out).toMatch(/^ok {6}Text after it /m)
    expect(out).toMatch(/^ok {6}Text back after it /m)
    expect(exitCode).toBe(0)
    // A host that ended without notice counts as running for 30 s, and its way as broken.
    const forget = `delete from gateway_hosts where seen_at < gateway_clock() - interval '10 s' returning id`
    await expect.poll(async () => (await rows(lab.db, forget)).length, { timeout: 30_000 }).toBe(1)
  })
})

describe('check network with two numbers says what is wrong', { timeout: 120_000 }, () => {
  it('when the network drops messages, and tries nothing else', async () => {
    const pair = await lab.newPair()
    await setFaults({ sends: { fault: 'swallowed', rate: 1 } })
    const { out, exitCode } = await lab.check(words(pair, '--only', 'image'))
    expect(out).toMatch(/^failed {2}Cold text +The network acknowledged nothing in 4\.0 s\. Restart the number/m)
    expect(out).toMatch(/^note {4}The rest +Not tried/m)
    expect(out).not.toContain('Photo')
    expect(exitCode).toBe(1)
  })

  it('when acknowledgements are lost', async () => {
    const pair = await lab.newPair()
    await setFaults({ dropAcks: 1000 })
    expect(await faultsOf(pair, 'check')).toContainEqual(
      expect.stringMatching(
        /^failed {2}Cold text +The peer received it, but the network acknowledged nothing in 4\.0 s/,
      ),
    )
  })

  it('when the network refuses a person, with and without a time lock', async () => {
    const pair = await lab.newPair()
    await setFaults({ refusals: { [pair.peer.phone]: '463' } })
    expect(await faultsOf(pair, 'check')).toEqual([
      expect.stringMatching(
        /^failed {2}Cold text +GATEWAY_ERROR: .* refused this person alone\. Let the peer write first\.$/,
      ),
    ])
    const locked = await lab.newPair()
    const timelock = { is_active: true, time_enforcement_ends: String(Math.floor(Date.now() / 1000) + 3600) }
    await net.setAccount({ phone: locked.number.phone, timelock })
    await setFaults({ refusals: { [locked.peer.phone]: '463' } })
    expect(await faultsOf(locked, 'check')).toEqual([
      expect.stringMatching(/^failed {2}Cold text +GATEWAY_ERROR: .* until the time that msgctl numbers status shows/),
    ])
  })

  it('when the network refuses the form of messages', async () => {
    const pair = await lab.newPair()
    await setFaults({ refusals: { [pair.peer.phone]: '479' } })
    expect(await faultsOf(pair, 'check')).toEqual([
      expect.stringMatching(/^failed {2}Cold text +refused: .* rejected the form .*message_refused\.$/),
    ])
  })

  it('when the file host has lost the files, and others get no edits', async () => {
    const pair = await lab.newPair()
    await setFaults({ lostFiles: true, lostEdits: true })
    expect(await faultsOf(pair, 'image,edit')).toEqual([
      expect.stringMatching(/^failed {2}Photo +It arrived, but its file cannot be fetched\. ATTACHMENT_EXPIRED/),
      expect.stringMatching(/^failed {2}Edit +The network took the edit, but the peer got none in 4\.0 s\.$/),
    ])
  })

  it('when a person sees no picture, an erased caption, and a silent phone', async () => {
    const pair = await lab.newPair()
    expect(await faultsOf(pair, 'image,caption', nothing)).toEqual([
      expect.stringMatching(/^failed {2}On the phone +The phone shows a grey or square picture/),
      expect.stringMatching(/^failed {2}Caption kept +The edit erased the caption or the picture/),
      expect.stringMatching(/^failed {2}Ringing +The account is shown as available all the time/),
    ])
  })

  it('when the network has an error of its own', async () => {
    const pair = await lab.newPair()
    await setFaults({ iq: { usync: { code: '503', text: 'unavailable' } } })
    const faults = await faultsOf(pair, 'check')
    expect(faults).toContainEqual(
      expect.stringMatching(
        /^failed {2}Check of \+1555\d+ +GATEWAY_UNREACHABLE: .* \(503\)\. Try again in some minutes\.$/,
      ),
    )
  })

  it('when the version is too old and the clock is wrong', async () => {
    const pair = await lab.newPair()
    await net.setOldest({ loggedIn: 2_000_000_000 })
    onTestFinished(() => net.setOldest({ loggedIn: 1_020_000_000 }).then(() => undefined))
    await setFaults({ clockAheadMs: -90_000 })
    const faults = await faultsOf(pair, 'check')
    expect(faults).toContainEqual(expect.stringMatching(/The network takes the version 2\.3000\.\d+ no more/))
    expect(faults).toContainEqual(expect.stringMatching(/The clock of the host is (?:89|90|91) s ahead of/))
  })

  it('when the phone of the peer removed its devices', async () => {
    const pair = await lab.newPair()
    await net.unlink({ phone: pair.peer.phone })
    const status = async () => (await lab.owner.numbers.status({ containerId: pair.peer.containerId })).status
    await expect.poll(status, { timeout: 30_000 }).toBe('SCAN_QR_CODE')
    const { err, exitCode } = await lab.check(words(pair))
    expect(err).toMatch(/^The number \S+ \(Number \d+\) is not linked to a phone \(SCAN_QR_CODE/)
    expect(exitCode).toBe(1)
  })
})

/** Lets the network act as if every client broke one of its rules, until the end of the test. */
async function pretend(rule: RuleName): Promise<void> {
  await net.pretend({ rules: [rule] })
  onTestFinished(() => net.pretend({ rules: [] }).then(() => undefined))
}

describe('check network with two numbers names the fault of a client', { timeout: 120_000 }, () => {
  // The rules about links are met before two numbers can be checked; these need what the check does not do.
  it.each<[RuleName, string, RegExp]>([
    ['old-version-not-linked', 'check', /^failed {2}Way .* The network takes the version 2\.3000\.\d+ no more\. Run: /],
    ['one-namespace', 'check', /^failed {2}Cold text +.*rejected the call \(400\)\. The log of the gateway host/],
    [
      'people-by-hidden-id',
      'check',
      /^failed {2}Cold text +GATEWAY_ERROR: .* refused this person alone\. Let the peer/,
    ],
    ['new-contact-token', 'check', /^failed {2}Cold text +GATEWAY_ERROR: .* refused this person alone\. Let the peer/],
    ['devices-by-hidden-id', 'check', /^failed {2}Cold text +The network acknowledged it, but/],
    ['hidden-id-of-contacts', 'check', /^failed {2}Check of \+1555\d+ +The network did not say\.$/],
    ['poll-meta', 'poll', /^failed {2}Poll +.*rejected the call \(400\)/],
    ['change-hidden', 'edit', /^failed {2}Edit +.*rejected the call \(400\)/],
    ['caption-edit', 'image,caption', /^failed {2}Caption kept +The edit erased the caption or the picture/],
    ['silent-presence', 'check', /^failed {2}Ringing +The account is shown as available all the time/],
  ])('that breaks %s', async (rule, only, sentence) => {
    const pair = await lab.newPair()
    await pretend(rule)
    expect(await faultsOf(pair, only, nothing)).toContainEqual(expect.stringMatching(sentence))
  })
})

describe('check network', { timeout: 120_000 }, () => {
  it('writes what both numbers sent and got to a file', async () => {
    const [pair, file] = [await lab.newPair(), path.join(lab.traces, 'check.jsonl')]
    const { out } = await lab.check(words(pair, '--only', 'poll', '--trace', file))
    expect(out).toMatch(/^ok {6}Trace +\d+ stanzas in .*check\.jsonl$/m)
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    const stanzas = lines.map((line) => JSON.parse(line) as { side: string; way: string; tag: string; at: string })
    for (const [side, way] of [
      ['number', 'out'],
      ['peer', 'in'],
    ])
      expect(stanzas).toContainEqual(expect.objectContaining({ side, way, tag: 'message' }))
    expect(stanzas.map(({ at }) => at)).toEqual(stanzas.map(({ at }) => at).sort())
    expect(lines.join()).not.toContain(pair.peer.phone)
  })
})
