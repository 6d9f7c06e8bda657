import { setTimeout as wait } from 'node:timers/promises'
import type { Profile } from '@msgctl/network/gateway'
import { jidNormalizedUser, type WASocket } from 'baileys'
import { Refused } from '../failures.ts'
import { withFailures } from './queries.ts'

/** Returns the text and the picture of an account. */
export async function readProfile(socket: WASocket): Promise<Pick<Profile, 'about' | 'pictureUrl'>> {
  const jid = jidNormalizedUser(socket.user?.id)
  const statuses = await withFailures(socket.fetchStatus(jid))
  const about = (statuses?.[0] as { status?: { status?: string } } | undefined)?.status?.status
  const pictureUrl = await withFailures(socket.profilePictureUrl(jid, 'image')).catch((error: unknown) => {
    // An account without a picture.
    if (error instanceof Refused && error.code < 500) return undefined
    throw error
  })
  return { about: about ?? '', pictureUrl: pictureUrl ?? null }
}

const [keyWaitMs, pollMs] = [10_000, 100]

/** Changes the name of an account. It waits for the key that the phone shares some time after the link. */
export async function changeName(socket: WASocket, name: string): Promise<void> {
  for (let waitedMs = 0; !socket.authState.creds.myAppStateKeyId && waitedMs < keyWaitMs; waitedMs += pollMs) {
    await wait(pollMs)
  }
  await withFailures(socket.updateProfileName(name))
}

/** Changes the picture of an account, without a conversion: the library's own call needs a program for pictures. */
export async function changePicture(socket: WASocket, picture: Buffer): Promise<void> {
  await withFailures(
    socket.query({
      tag: 'iq',
      attrs: { to: 's.whatsapp.net', type: 'set', xmlns: 'w:profile:picture', id: socket.generateMessageTag() },
      content: [{ tag: 'picture', attrs: { type: 'image' }, content: picture }],
    }),
  )
}
