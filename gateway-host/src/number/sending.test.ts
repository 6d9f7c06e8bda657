import { expect, it } from 'vitest'
import { Fenced } from '../vault/fenced.ts'
import type { HostedNumber } from './number.ts'
import { send } from './sending.ts'

/** A number that another host takes over while the network acknowledges a message. */
function openNumber(relay: () => Promise<void>) {
  const vault = {
    isFenced: false,
    findSent: async () => null,
    stageSent: () => undefined,
    stageAcked() {
      if (vault.isFenced) throw new Fenced()
    },
  }
  const connection = {
    isKnown: async () => true,
    async relay() {
      vault.isFenced = true
      await relay()
    },
  }
  const number = { vault, connection, active: () => undefined, timers: { find: async () => 0 }, uploads: null }
  return number as unknown as HostedNumber
}

const to = { kind: 'phone', digits: '12025550100' } as const
const content = { kind: 'text', text: 'hello' } as const
const call = { containerId: '', to, content, clientId: 'ID', timeoutMs: 1000 } as const

it('is sent once the network has it, though another host has taken the number over since', async () => {
  const number = openNumber(async () => undefined)
  expect(await send(number, call, null)).toMatchObject({ status: 'sent', ref: { networkId: 'ID' } })
})

it('is not sent when another host took the number over before it left', async () => {
  const number = openNumber(() => Promise.reject(new Fenced()))
  await expect(send(number, call, null)).rejects.toMatchObject({ kind: 'unreachable', outcome: 'not_sent' })
})
