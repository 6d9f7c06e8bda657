import type { Contract } from '@msgctl/contract'
import { apiError } from '../errors.ts'
import type { Handlers } from '../http/handler.ts'
import { partOfRecipient } from '../messages/history/search.ts'
import { readImports } from './import-store.ts'
import { setOptOutWords } from './set-words.ts'
import { countContacts, searchContacts, writeOptedOut } from './store.ts'
import { syncContacts } from './sync.ts'
import { contactView, scopeOf } from './view.ts'
import { wordsOf } from './words-store.ts'

export const contactHandlers = {
  async search({ caller, query }, { db }) {
    const { search, limit } = query
    const parts = { name: search.normalize('NFC'), number: partOfRecipient(search), limit }
    const found = await searchContacts(db, scopeOf(caller), parts)
    return { contacts: found.map(contactView) }
  },
  async count({ caller }, { db }) {
    const scope = scopeOf(caller)
    const [count, { historyImportedAt, importing }] = await Promise.all([
      countContacts(db, scope),
      readImports(db, scope),
    ])
    return { count, historyImportedAt: historyImportedAt?.toISOString() ?? null, importing }
  },
  sync: syncContacts,
  async update({ caller, params, body }, { db }) {
    const changed = await writeOptedOut(db, scopeOf(caller), params.id, body.optedOut)
    if (!changed) throw apiError('NOT_FOUND', 'There is no such contact.')
    return { contact: contactView(changed) }
  },
  async optOutWords({ caller }, { db }) {
    const words = await wordsOf(db, [caller.organizationId])
    return { words: [...(words.get(caller.organizationId) ?? [])] }
  },
  setOptOutWords,
} satisfies Handlers<Contract['contacts']>
