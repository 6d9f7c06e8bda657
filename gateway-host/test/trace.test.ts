import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'
import { expect, it } from 'vitest'
import { openHostLab } from './host-lab.ts'
import { countIn, readKeys } from './stored-secrets.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'trace-'))
cleanUpAfterFile(async () => rmSync(folder, { recursive: true, force: true }))
const lab = await openHostLab({ GATEWAY_TRACE: folder })
const { db, driver, net, secrets } = lab
const [jane, phone] = ['12025550100', '15554480101']
const to = { kind: 'phone', digits: jane } as const
const timeoutMs = 20_000

it('a trace has the form of each stanza both ways, and no key, no text and no number', async () => {
  const session = await lab.link(phone)
  await expect.poll(() => net.saveContact({ phone, digits: jane, name: 'Zebra Jane' })).toEqual({})
  const file = { bytes: () => Readable.from([Buffer.from('a photo')]), sizeBytes: 7, mimetype: 'image/png' } as const
  await driver.send(session, to, { kind: 'image', ...file, caption: 'zebra caption' }, { clientId: 'P', timeoutMs })
  const options = ['Zebra', 'Horse']
  const question = { kind: 'poll', question: 'Zebra?', options, multipleAnswers: false } as const
  await driver.send(session, to, question, { clientId: 'Q', timeoutMs })
  const { ref } = await driver.send(session, to, { kind: 'text', text: 'zebra text' }, { clientId: 'T', timeoutMs })
  await driver.edit(session, ref, 'zebra changed', { timeoutMs })
  await driver.typing(session, to, true)
  await driver.setProfile(session, { about: 'zebra about', name: 'Zebra Shop' })
  await driver.check(session, [jane])
  await net.write({ from: jane, to: phone, message: { conversation: 'zebra received' } })
  await expect.poll(() => lab.eventsOf(session, 'message.in')).toHaveLength(1)
  const trace = readFileSync(path.join(folder, `${session.containerId}.jsonl`), 'utf8')
  const lines = trace
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { way?: string; tag?: string; attrs?: Record<string, unknown> })
  const seen = new Set(lines.map(({ way, tag }) => `${way} ${tag}`))
  const ours = ['out iq', 'out message', 'out receipt', 'out presence', 'out chatstate', 'out ack']
  expect([...seen]).toEqual(
    expect.arrayContaining([...ours, 'in iq', 'in ack', 'in message', 'in receipt', 'in success']),
  )
  expect(lines.some(({ tag }) => tag === '?')).toBe(false)
  expect(trace).toContain('"tag":"enc","attrs":{"v":"2","type":"pkmsg"')
  const keys = await readKeys(db, secrets, session.containerId)
  expect(keys.length).toBeGreaterThan(100)
  expect(countIn(trace, keys)).toBe(0)
  const { texts } = await net.texts({})
  const words = [...texts, 'zebra', 'a photo'].map((text) => text.toLowerCase())
  expect(words).toContain('zebra received')
  expect(words.filter((text) => trace.toLowerCase().includes(text))).toEqual([])
  expect(trace.replaceAll(/"length":\d+/g, '')).not.toMatch(/\d{5}/)
})
