import type { Contract, Output } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { listHours } from '#sending/messages/history/counter-store.ts'
import { listDays } from './day-store.ts'
import { sendOtp } from './send.ts'
import { verifyOtp } from './verify.ts'

const dayMs = 24 * 60 * 60 * 1000

type Day = Output<Contract['otp']['stats']>['days'][number]

/** Responds with what became of the codes of the last days: the messages that carried them, and their verification. */
const otpStats: Handlers<Contract['otp']>['stats'] = async ({ caller, query }, { db }) => {
  const { organizationId } = caller
  const days = (await listDays(db, organizationId, query.days)).map(
    (one): Day => ({ sent: 0, delivered: 0, failed: 0, ...one }),
  )
  const from = new Date(days[0]?.day ?? 0)
  const to = new Date(from.getTime() + days.length * dayMs)
  const byDay = new Map(days.map((one) => [one.day, one]))
  for (const hour of await listHours(db, organizationId, { from, to, type: 'otp' })) {
    const day = byDay.get(hour.hour.toISOString().slice(0, 10))
    if (!day) continue
    day.sent += hour.sent + hour.delivered + hour.read
    day.delivered += hour.delivered + hour.read
    day.failed += hour.failed
  }
  return { days }
}

export const otpHandlers = { send: sendOtp, verify: verifyOtp, stats: otpStats } satisfies Handlers<Contract['otp']>
