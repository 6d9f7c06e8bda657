import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { EndedAccess } from './end-access.ts'

/** Stores a half-finished sign-in by the hash of its challenge. Returns when it expires. */
export async function insertChallenge(
  trx: Db,
  challenge: {
    readonly hash: Buffer
    readonly userId: string
    readonly organizationId: string
    /** The invitation that the second step uses; null for a plain sign-in. */
    readonly invitationId: string | null
    readonly minutes: number
  },
): Promise<Date> {
  const [stored] = await rows<{ expiresAt: Date }>(
    trx,
    `insert into sign_in_challenges (challenge_hash, user_id, organization_id, invitation_id, expires_at)
     values (:hash, :userId, :organizationId, :invitationId, service_now() + :minutes::int * interval '1 minute')
     returning expires_at`,
    { ...challenge },
  )
  if (!stored) throw new Error('storing a challenge returned no row')
  return stored.expiresAt
}

/** A half-finished sign-in. */
export interface Challenge {
  readonly userId: string
  readonly organizationId: string
  /** The invitation that the second step uses; null for a plain sign-in. */
  readonly invitationId: string | null
  /** Attempts, this one included. */
  readonly attempts: number
}

/** Counts an attempt at a challenge. Returns undefined when it is unknown, used, expired or has no attempt left. */
export async function attemptChallenge(db: Db, hash: Buffer, attempts: number): Promise<Challenge | undefined> {
  return firstRow<Challenge>(
    db,
    `update sign_in_challenges set attempts = attempts + 1
      where challenge_hash = :hash and expires_at > (select service_now()) and attempts < :attempts
     returning user_id, organization_id, invitation_id, attempts`,
    { hash, attempts },
  )
}

/** Uses a challenge up. Returns false when another request was first. */
export async function takeChallenge(trx: Db, hash: Buffer): Promise<boolean> {
  return (await trx('sign_in_challenges').where({ challengeHash: hash }).delete()) > 0
}

/** Deletes half-finished sign-ins: of a person, of a member, or to an organization. Returns how many there were. */
export async function deleteChallenges(trx: Db, { userId, organizationId }: EndedAccess): Promise<number> {
  const of = {
    ...(userId !== null && { userId }),
    ...(organizationId !== null && { organizationId }),
  }
  return trx('sign_in_challenges').where(of).delete()
}

/** Deletes up to `limit` expired challenges. Returns how many there were. */
export async function deleteExpiredChallenges(db: Db, limit: number): Promise<number> {
  const deleted = await rows(
    db,
    `delete from sign_in_challenges where challenge_hash in (
       select challenge_hash from sign_in_challenges where expires_at < (select service_now()) limit :limit)
     returning user_id`,
    { limit },
  )
  return deleted.length
}

/** Deletes the half-finished sign-ins of all people. */
export async function deleteAllChallenges(trx: Db): Promise<void> {
  await trx('sign_in_challenges').delete()
}
