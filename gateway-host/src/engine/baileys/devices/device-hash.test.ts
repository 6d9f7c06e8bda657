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

it('differs for the two addresses of a person', () => {
  expect(deviceHash(['912025550100:1@lid'])).not.toBe(deviceHash(['912025550100:1@s.whatsapp.net']))
})
