import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Db } from '../../db/db.ts'
import type { GatewaySession, ProfileChange } from '../../gateway/gateway.ts'
import { saveProfile } from './store.ts'

/** Changes what a number says about itself. The network takes the picture's bytes and gives it an address of its own. */
export async function changeProfile(
  db: Db,
  session: GatewaySession,
  { picture, ...words }: ProfileChange,
): Promise<void> {
  const pictureUrl = picture && (await addressOf(picture))
  await saveProfile(db, session, { ...words, ...(pictureUrl && { pictureUrl }) })
}

async function addressOf({ bytes }: Required<ProfileChange>['picture']): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(bytes(), hash)
  return `https://pictures.network.example/${hash.digest('hex').slice(0, 32)}`
}
