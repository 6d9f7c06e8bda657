import type { Contract } from '@msgctl/contract'
import { apiError } from '../errors.ts'
import type { Handlers } from '../http/handler.ts'
import { readImports } from './import-store.ts'
import { listOptOutKeywords } from './opt-out-keyword-store.ts'
import { setOptOutKeywords } from './set-opt-out-keywords.ts'
import { countContacts, searchContacts, writeOptedOut } from './store.ts'
import { syncContacts } from './sync.ts'
import { contactView, toContactScope, toSearchParts } from './view.ts'

export const contactHandlers = {
  async search({ caller, query }, { db }) {
    const parts = { ...toSearchParts(query.search), limit: query.limit }
    const found = await searchContacts(db, toContactScope(caller), parts)
    return { contacts: found.map(contactView) }
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
