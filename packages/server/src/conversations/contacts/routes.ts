import type { Contract } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Handlers } from '#api/http/handler.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { readImports } from './import-store.ts'
import { listOptOutKeywords } from './opt-out-keyword-store.ts'
import { requireOptOutQuota } from './opt-out-quota.ts'
import { countOptedOut, listOptedOut, optOutPhones } from './opt-out-store.ts'
import { setOptOutKeywords } from './set-opt-out-keywords.ts'
import { countContacts, countMatching, listContacts, searchContacts, writeOptedOut } from './store.ts'
import { syncContacts } from './sync.ts'
import { contactView, toContactScope, toSearchParts } from './view.ts'

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
