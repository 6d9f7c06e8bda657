import { verify } from '@msgctl/webhook-verifier'
import { describe, expect, it } from 'vitest'
import { regenerateSecret, removeWebhook, setWebhook } from '#events/webhook/configuration/configure.ts'
import { deliveryBench, type Subscriber } from '#testing/features/deliveries.ts'
import { type Receiver, startReceiver } from '#testing/features/receiver.ts'

const { services, start, subscriber, appendSamples, stored, settled } = await deliveryBench()

describe('a delivery that was claimed ahead and still waits', () => {
  /** Longer than a target that was read is good for. */
  const slowly = { status: 200, afterMs: 300 }
  const bounds = { limits: { fast: 64, slow: 8, perEndpoint: 1, prefetch: 8 } }

  /** Four deliveries are claimed, and the first gets a late response; `change` happens before it. */
  async function whileThreeWait(change: (one: Subscriber, elsewhere: Receiver) => Promise<unknown>) {
    let letGo = () => {}
    const changedBy = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const receiver = await startReceiver((_request, number) => (number === 2 ? changedBy.then(() => slowly) : 200))
    const elsewhere = await startReceiver()
    const one = await subscriber(receiver.url)
    start(bounds)
    await appendSamples(one.organizationId)
    await settled(one.organizationId, (row) => row.status === 'delivered')
    await appendSamples(one.organizationId, 4)
    await receiver.arrived(2)
    const changed = await change(one, elsewhere)
    letGo()
    const all = (rows: readonly { status: string }[]) => rows.every(({ status }) => status !== 'pending')
    await expect.poll(() => stored(one.organizationId), { interval: 10 }).toSatisfy(all)
    return { one, receiver, elsewhere, changed }
  }

  it('is signed with a secret that is new, and not with the old one', async () => {
    const { receiver, changed } = await whileThreeWait(({ change }) => regenerateSecret(services, change, 0))
    expect(receiver.received).toHaveLength(5)
    for (const { body, headers } of receiver.received.slice(2)) await verify(body, headers, String(changed))
  })

  it('goes to an address that is new', async () => {
    const moved = await whileThreeWait(({ change }, elsewhere) => setWebhook(services, change, elsewhere.url))
    expect([moved.receiver.received.length, moved.elsewhere.received.length]).toEqual([2, 3])
  })

  it('goes nowhere once there is no address', async () => {
    const ended = await whileThreeWait(({ change }) => removeWebhook(services, change))
    expect(ended.receiver.received).toHaveLength(2)
    const dropped = (await stored(ended.one.organizationId)).filter(({ status }) => status === 'dropped')
    expect(dropped.map(({ attempts }) => attempts)).toEqual([0, 0, 0])
  })
})
