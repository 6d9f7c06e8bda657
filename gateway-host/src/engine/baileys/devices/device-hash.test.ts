import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { deviceHash } from './device-hash.ts'

it('is made of the names of devices in order, each with agent and device, once', () => {
  const names = '12025550100.0:0@s.whatsapp.net12025550100.0:12@s.whatsapp.net12025550100.0:2@s.whatsapp.net'
  const start = createHash('sha256').update(names).digest().subarray(0, 6).toString('base64')
  const jids = ['2', '12', '2'].map((device) => `12025550100:${device}@s.whatsapp.net`)
  expect(deviceHash([...jids, '12025550100@s.whatsapp.net'])).toBe(`2:${start}`)
  expect(start).toHaveLength(8)
})

/**
 * Computed with sha256sum and base64 over the names in order. An acknowledgement of the real network that its owner has
 * published has the hash of this form, over both devices of the person, the phone of the sender and the sender.
 */
it.each([
  [
    '2:w+fbkotF',
    ['15550100002:55', '15550100001:14', '15550100002', '15550100001'].map((name) => `${name}@s.whatsapp.net`),
  ],
  ['2:DI/auPhy', ['900000000000002:7@lid', '900000000000001@lid', '900000000000001:3@lid']],
])('is %s in the form that the network writes', (hash, jids) => {
  expect(deviceHash(jids)).toBe(hash)
})

it('differs for the two addresses of a person', () => {
  expect(deviceHash(['912025550100:1@lid'])).not.toBe(deviceHash(['912025550100:1@s.whatsapp.net']))
})
