import { mayMove, messageMoves, messageRank } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyReceipt, type Progress, type Receipt } from './receipt-rules.ts'

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, second))
const sent: Progress = {
  status: 'sent',
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  error: null,
  errorCode: null,
  sentReported: false,
}

function run(before: Progress, statuses: readonly Receipt['status'][]) {
  const events: string[] = []
  let progress = before
  statuses.forEach((status, second) => {
    const step = applyReceipt(progress, { status, at: at(second) })
    progress = step.after
    if (step.event) events.push(step.event)
  })
  return { progress, events }
}

describe('applyReceipt', () => {
  it.each([
    { receipts: ['delivered', 'read'], status: 'read', events: ['message.delivered', 'message.read'] },
    {
      receipts: ['delivered', 'delivered', 'read', 'read'],
      status: 'read',
      events: ['message.delivered', 'message.read'],
    },
    { receipts: ['read', 'delivered'], status: 'read', events: ['message.read'] },
    { receipts: ['played'], status: 'read', events: ['message.read'] },
    { receipts: ['sent', 'sent', 'delivered'], status: 'delivered', events: ['message.sent', 'message.delivered'] },
    { receipts: ['delivered', 'sent'], status: 'delivered', events: ['message.delivered'] },
    { receipts: ['failed', 'failed'], status: 'failed', events: ['message.failed'] },
    { receipts: ['delivered', 'failed'], status: 'delivered', events: ['message.delivered'] },
    { receipts: ['failed', 'sent'], status: 'failed', events: ['message.failed'] },
    { receipts: ['failed', 'delivered'], status: 'delivered', events: ['message.failed', 'message.delivered'] },
  ] as const)('turns $receipts into the status $status and reports $events', ({ receipts, status, events }) => {
    expect(run(sent, receipts)).toMatchObject({ progress: { status }, events })
  })

  it('fills deliveredAt when a message is read without having been delivered', () => {
    expect(run(sent, ['read']).progress).toMatchObject({ deliveredAt: at(0), readAt: at(0) })
  })

  it('keeps the first time of each step', () => {
    expect(run(sent, ['delivered', 'read', 'delivered', 'read']).progress).toMatchObject({
      deliveredAt: at(0),
      readAt: at(1),
    })
  })

  it('clears the failure of a message that a late receipt proves sent', () => {
    expect(run(sent, ['failed', 'delivered']).progress).toMatchObject({ error: null, errorCode: null, failedAt: null })
  })

  it('takes the network’s own report of sending as the end of an unknown outcome', () => {
    const unknown: Progress = {
      ...sent,
      status: 'failed',
      failedAt: at(0),
      errorCode: 'UPSTREAM_TIMEOUT',
      error: 'no answer',
    }
    expect(run(unknown, ['sent'])).toMatchObject({
      progress: { status: 'sent', error: null, errorCode: null, failedAt: null },
      events: ['message.sent'],
    })
  })

  it('rises by transitions of the contract only, reports each event at most once, and never falls', () => {
    const status = fc.constantFrom<Receipt['status']>('sent', 'delivered', 'read', 'played', 'failed')
    fc.assert(
      fc.property(
        fc.constantFrom('queued', 'sending', 'sent'),
        fc.array(status, { maxLength: 12 }),
        (from, statuses) => {
          let progress: Progress = { ...sent, status: from }
          const reported: string[] = []
          statuses.forEach((one, second) => {
            const { after, event } = applyReceipt(progress, { status: one, at: at(second) })
            if (after.status !== progress.status)
              expect(mayMove(messageMoves, progress.status, after.status)).toBe(true)
            if (progress.status !== 'failed' && after.status !== 'failed') {
              expect(messageRank[after.status]).toBeGreaterThanOrEqual(messageRank[progress.status])
            }
            if (event) reported.push(event)
            progress = after
          })
          for (const event of ['message.delivered', 'message.read', 'message.sent', 'message.failed']) {
            expect(reported.filter((one) => one === event).length).toBeLessThanOrEqual(1)
          }
          if (statuses.includes('read') || statuses.includes('played')) expect(progress.status).toBe('read')
        },
      ),
      { numRuns: 1000 },
    )
  })
})
