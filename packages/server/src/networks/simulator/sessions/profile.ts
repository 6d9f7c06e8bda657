import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { GatewaySession, ProfileChange } from '@msgctl/network/gateway'
import type { Db } from '#platform/db/db.ts'
import { saveProfile } from './store.ts'

/** Changes the profile of a number. The network stores the picture's bytes under an address of its own. */
export async function changeProfile(
  db: Db,
  session: GatewaySession,
  { picture, ...words }: ProfileChange,
): Promise<void> {
  const pictureUrl = picture && (await pictureAddress(picture))
  await saveProfile(db, session, { ...words, ...(pictureUrl && { pictureUrl }) })
}

async function pictureAddress({ bytes }: Required<ProfileChange>['picture']): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(bytes(), hash)
  return `https://pictures.network.example/${hash.digest('hex').slice(0, 32)}`
}
