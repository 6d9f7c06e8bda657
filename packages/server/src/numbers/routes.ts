import type { Contract } from '@msgctl/contract'
import type { Handlers, Request } from '#api/http/handler.ts'
import type { Services } from '#services.ts'
import { computeAllowance, numberQuota } from './allowance.ts'
import { startNumber, stopNumber } from './connect.ts'
import { countHistory, listHistory } from './history-store.ts'
import { deleteKey, generateNumberKey, regenerateNumberKey } from './keys.ts'
import { numberQr, numberStatus, pairNumber } from './link.ts'
import { logoutNumber } from './logout.ts'
import { changeNumber, createNumber } from './manage.ts'
import { getProfile, setProfile } from './profile.ts'
import { reconnectNumber } from './reconnect.ts'
import { findExtra, listNumbers } from './records/store.ts'
import { numberView, reasonMessage, reasonOf } from './records/view.ts'
import { releaseHeld } from './release.ts'
import { removeNumber } from './remove.ts'
import { resolveNumber } from './send-group/select-number.ts'
import { getSendGroup, setSendGroup } from './send-group/send-group.ts'

function view({ at, reason, ...change }: Awaited<ReturnType<typeof listHistory>>[number]) {
  return { ...change, at: at.toISOString(), reason: reasonOf(reason), message: reasonMessage(reason) }
}

/** Lists how the connection of a number changed in the last 90 days, latest first. */
async function numberHistory({ caller, query }: Request<Contract['numbers']['history']>, { db }: Pick<Services, 'db'>) {
  const { id: containerId, organizationId } = await resolveNumber(db, caller, query.containerId)
  const { page, limit } = query
  const [total, found] = await Promise.all([
    countHistory(db, organizationId, containerId),
    listHistory(db, organizationId, containerId, { limit, offset: (page - 1) * limit }),
  ])
  return { containerId, total, page, limit, history: found.map(view) }
}

export const numberHandlers = {
  async list({ caller }, { db }) {
    const [numbers, bought] = await Promise.all([
      listNumbers(db, caller.organizationId),
      findExtra(db, caller.organizationId),
    ])
    const { maxSessions, canCreate, ...allowance } = computeAllowance(caller.products, bought.extra, numbers.length)
    return {
      sessions: numbers.map(numberView),
      maxSessions,
      usedSessions: numbers.length,
      canCreate: canCreate && numbers.length < numberQuota(caller),
      allowance: { ...allowance, extraExpiresAt: bought.extraExpiresAt?.toISOString() ?? null },
    }
  },
  create: createNumber,
  update: changeNumber,
  delete: removeNumber,
  status: numberStatus,
  qr: numberQr,
  pair: pairNumber,
  start: startNumber,
  stop: stopNumber,
  reconnect: reconnectNumber,
  logout: logoutNumber,
  history: numberHistory,
  profile: getProfile,
  setProfile,
  sendGroup: getSendGroup,
  setSendGroup,
  release: releaseHeld,
  generateKey: generateNumberKey,
  regenerateKey: regenerateNumberKey,
  deleteKey,
} satisfies Partial<Handlers<Contract['numbers']>>
