import { type Contract, limits } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Handlers, Request } from '#api/http/handler.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { lockQuota } from '#platform/db/quota-lock.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { readImports } from './import-store.ts'
import { listOptOutKeywords, writeOptOutKeywords } from './opt-out-keyword-store.ts'
import { countMissing, countOptedOut, countUnknown, listOptedOut, optOutPhones } from './opt-out-store.ts'
import { countContacts, countMatching, listContacts, searchContacts, writeOptedOut } from './store.ts'
import { syncContacts } from './sync.ts'
import { contactView, toContactScope, toSearchParts } from './view.ts'

/**
 * Requires that an organization may opt these people out. Those who are no contacts become contacts that no number
 * knows, and nothing else bounds them. Requests of one organization are serialized until the transaction ends. Throws
 * FORBIDDEN_ACTION quota_reached.
 */
async function requireOptOutQuota(
  trx: Db,
  { organizationId, trial }: { readonly organizationId: string; readonly trial: boolean },
  phones: readonly string[],
): Promise<void> {
  await lockQuota(trx, 'opted out', organizationId)
  const requested = await countMissing(trx, organizationId, phones)
  if (requested === 0) return
  const limit = trial ? limits.optedOut.trialRows : limits.optedOut.rows
  const used = await countUnknown(trx, organizationId)
  if (used + requested <= limit) return
  const owner = trial ? 'An organization on trial' : 'An organization'
  const sentence = `${owner} keeps at most ${limit} contacts that none of its numbers knows`
  throw apiError(
    'FORBIDDEN_ACTION',
    `${sentence}; ${used} are stored and this needs ${requested} more. Leave out people whom you never write to.`,
    { reason: 'quota_reached', limit, used, requested },
  )
}

/** Replaces the opt-out keywords of the organization. A repeated word counts once. */
async function setOptOutKeywords({ caller, body }: Request<Contract['contacts']['setOptOutWords']>, { db }: Services) {
  const { organizationId } = caller
  const words = [...new Set(body.words)]
  await transaction(db, async (trx) => {
    await writeOptOutKeywords(trx, organizationId, words)
    const action = 'opt_out_words.set'
    await recordActivity(trx, { organizationId, actor: toActor(caller), action, details: { words: words.length } })
  })
  return { words }
}

export const contactHandlers = {
  async search({ caller, query }, { db }) {
    const { page, limit } = query
    const scope = toContactScope(caller)
    const bounds = { limit, offset: (page - 1) * limit }
    const parts = toSearchParts(query.search)
    const [total, found] = await Promise.all([
      countMatching(db, scope, parts),
      searchContacts(db, scope, { ...parts, ...bounds }),
    ])
    return { total, page, limit, contacts: found.map(contactView) }
  },
  async list({ caller, query }, { db }) {
    const { page, limit, saved = null, optedOut = null } = query
    const scope = toContactScope(caller)
    const kind = { saved, optedOut }
    const [total, found] = await Promise.all([
      countContacts(db, scope, kind),
      listContacts(db, scope, kind, { limit, offset: (page - 1) * limit }),
    ])
    return { total, page, limit, contacts: found.map(contactView) }
  },
  async optOuts({ caller, query }, { db }) {
    const scope = toContactScope(caller)
    const { page, limit } = query
    const [total, found] = await Promise.all([
      countOptedOut(db, scope),
      listOptedOut(db, scope, { limit, offset: (page - 1) * limit }),
    ])
    const optOuts = found.map(({ optedAt, ...row }) => ({
      ...contactView(row),
      optedAt: optedAt?.toISOString() ?? null,
    }))
    return { total, page, limit, optOuts }
  },
  async addOptOuts({ caller, body }, { db }) {
    const { organizationId } = caller
    const phones = [...new Set(body.phones)]
    return transaction(db, async (trx) => {
      await requireOptOutQuota(trx, caller, phones)
      const optedOut = await optOutPhones(trx, organizationId, phones)
      const details = { optedOut, given: phones.length }
      await recordActivity(trx, { organizationId, actor: toActor(caller), action: 'contacts.opted_out', details })
      return { optedOut, already: phones.length - optedOut }
    })
  },
  async count({ caller }, { db }) {
    const scope = toContactScope(caller)
    const [count, { historyImportedAt, importing }] = await Promise.all([
      countContacts(db, scope),
      readImports(db, scope),
    ])
    return { count, historyImportedAt: historyImportedAt?.toISOString() ?? null, importing }
  },
  sync: syncContacts,
  async update({ caller, params, body }, { db }) {
    const changed = await writeOptedOut(db, toContactScope(caller), params.id, body.optedOut)
    if (!changed) throw apiError('NOT_FOUND', 'There is no such contact.')
    return { contact: contactView(changed) }
  },
  async optOutWords({ caller }, { db }) {
    const words = await listOptOutKeywords(db, [caller.organizationId])
    return { words: [...(words.get(caller.organizationId) ?? [])] }
  },
  setOptOutWords: setOptOutKeywords,
} satisfies Handlers<Contract['contacts']>
