import {
  type EndpointSecretColumn,
  listEndpointsSealedOtherwise,
  writeResealedOfEndpoint,
} from '#events/webhook/signing/sealed-store.ts'
import { toSecretPlace } from '#events/webhook/signing/secret.ts'
import {
  listHostsSealedOtherwise,
  type SealedHostColumn,
  writeResealedOfHost,
} from '#networks/gateway/waha/host-store.ts'
import { keyLocation } from '#networks/gateway/waha/hosts.ts'
import type { Db } from '#platform/db/db.ts'
import type { SealedColumn } from './reseal.ts'

/** Returns the columns with the secrets of servers that the service calls: webhook endpoints and WAHA servers. */
export function columnsOfReceivers(db: Db, keyId: string): readonly SealedColumn[] {
  return [
    ofEndpoints(db, keyId, 'secret'),
    ofEndpoints(db, keyId, 'previous_secret'),
    ofHosts(db, keyId, 'sealed_key'),
    ofHosts(db, keyId, 'sealed_hook_key'),
  ]
}

function ofEndpoints(db: Db, keyId: string, column: EndpointSecretColumn): SealedColumn {
  return {
    async list(page) {
      const found = await listEndpointsSealedOtherwise(db, column, { keyId, ...page })
      return found.map(({ endpointId, organizationId, sealed }) => ({
        id: endpointId,
        sealed,
        place: toSecretPlace(organizationId),
      }))
    },
    write: ({ id, sealed }, becomes) => writeResealedOfEndpoint(db, column, { endpointId: id, sealed }, becomes),
  }
}

function ofHosts(db: Db, keyId: string, column: SealedHostColumn): SealedColumn {
  const key = column === 'sealed_key' ? 'key' : 'hook_key'
  return {
    async list(page) {
      const found = await listHostsSealedOtherwise(db, column, { keyId, ...page })
      return found.map(({ id, sealed }) => ({ id, sealed, place: keyLocation(id, key) }))
    },
    write: (row, becomes) => writeResealedOfHost(db, column, row, becomes),
  }
}
