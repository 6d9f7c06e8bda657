import { listArgumentsSealedOtherwise, writeResealedArguments } from '#ai-clients/mcp/approvals/action-store.ts'
import { toArgumentsPlace } from '#ai-clients/mcp/approvals/actions.ts'
import {
  listSecretsSealedOtherwise,
  type SecretColumn,
  writeResealedSecret,
} from '#people/auth/two-factor/sealed-store.ts'
import { toSecretPlace } from '#people/auth/two-factor/second-step.ts'
import type { Db } from '#platform/db/db.ts'
import { toBodyPlace } from '#platform/mail/queue.ts'
import { listMailsSealedOtherwise, writeResealedMail } from '#platform/mail/store.ts'
import type { SealedColumn } from './reseal.ts'

/** Returns the columns with secrets of people: authenticators, mails, and what waits for their approval. */
export function columnsOfPeople(db: Db, keyId: string): readonly SealedColumn[] {
  return [
    authenticators(db, keyId, 'sealed_secret'),
    authenticators(db, keyId, 'pending_sealed'),
    mails(db, keyId),
    actions(db, keyId),
  ]
}

function authenticators(db: Db, keyId: string, column: SecretColumn): SealedColumn {
  return {
    async list(page) {
      const found = await listSecretsSealedOtherwise(db, column, { keyId, ...page })
      return found.map(({ userId, sealed }) => ({ id: userId, sealed, place: toSecretPlace(userId) }))
    },
    write: ({ id, sealed }, becomes) => writeResealedSecret(db, column, { userId: id, sealed }, becomes),
  }
}

function mails(db: Db, keyId: string): SealedColumn {
  return {
    async list(page) {
      const found = await listMailsSealedOtherwise(db, keyId, page)
      return found.map(({ id, sealedBody }) => ({ id, sealed: sealedBody, place: toBodyPlace(id) }))
    },
    write: ({ id, sealed }, becomes) => writeResealedMail(db, id, sealed, becomes),
  }
}

function actions(db: Db, keyId: string): SealedColumn {
  return {
    async list(page) {
      const found = await listArgumentsSealedOtherwise(db, keyId, page)
      return found.map(({ id, sealed }) => ({ id, sealed, place: toArgumentsPlace(id) }))
    },
    write: ({ id, sealed }, becomes) => writeResealedArguments(db, { id, sealed }, becomes),
  }
}
