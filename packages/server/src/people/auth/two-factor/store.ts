import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'

/** The two-step sign-in of a person. */
export interface TwoFactorRow {
  /** The encrypted secret; null unless it is on. */
  readonly sealedSecret: string | null
  /** The encrypted secret of a set-up that has not expired. */
  readonly pendingSealed: string | null
  readonly enabledAt: Date | null
}

/** Returns the two-step sign-in of a person, or undefined when it was never set up. */
export async function findTwoFactor(db: Db, userId: string): Promise<TwoFactorRow | undefined> {
  return firstRow<TwoFactorRow>(
    db,
    `select sealed_secret, enabled_at,
            case when pending_until > (select service_now()) then pending_sealed end as pending_sealed
       from user_two_factor where user_id = :userId`,
    { userId },
  )
}

/**
 * Stores the secret of a set-up, in place of an earlier one. Returns its expiry; null when two steps are on already.
 */
export async function putPending(trx: Db, userId: string, sealed: string, minutes: number): Promise<Date | null> {
  const [stored] = await rows<{ until: Date }>(
    trx,
    `insert into user_two_factor as f (user_id, pending_sealed, pending_until)
     values (:userId, :sealed, service_now() + :minutes::int * interval '1 minute')
     on conflict (user_id) do update set pending_sealed = excluded.pending_sealed,
     pending_until = excluded.pending_until
      where f.enabled_at is null
     returning pending_until as until`,
    { userId, sealed, minutes },
  )
  return stored?.until ?? null
}

/** Turns two steps on with the secret of the set-up `sealed`. Returns false when another request was first. */
export async function enable(trx: Db, userId: string, sealed: string, step: number): Promise<boolean> {
  const enabled = await trx('user_two_factor')
    .where({ userId, pendingSealed: sealed })
    .whereNull('enabledAt')
    .update({
      sealedSecret: sealed,
      pendingSealed: null,
      pendingUntil: null,
      enabledAt: serviceNow(trx),
      lastStep: step,
    })
  return enabled > 0
}

/** Turns two steps off and deletes the recovery codes. Returns false when they were off. */
export async function disable(trx: Db, userId: string): Promise<boolean> {
  await trx('recovery_codes').where({ userId }).delete()
  return (await trx('user_two_factor').where({ userId }).delete()) > 0
}

/** Uses up the code of a time step. Returns false for a step that is not after the last one. */
export async function takeStep(db: Db, userId: string, step: number): Promise<boolean> {
  const taken = await db('user_two_factor')
    .where({ userId })
    .where((earlier) => earlier.whereNull('lastStep').orWhere('lastStep', '<', step))
    .update({ lastStep: step })
  return taken > 0
}

/** Uses up a recovery code. Returns false for a wrong or used one. */
export async function takeRecoveryCode(db: Db, userId: string, codeHash: Buffer): Promise<boolean> {
  const taken = await db('recovery_codes')
    .where({ userId, codeHash })
    .whereNull('usedAt')
    .update({ usedAt: serviceNow(db) })
  return taken > 0
}

/** Replaces the recovery codes of a person. */
export async function replaceRecoveryCodes(trx: Db, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await trx('recovery_codes').where({ userId }).delete()
  await trx('recovery_codes').insert(hashes.map((code_hash) => ({ userId, codeHash: code_hash })))
}

/** Counts the recovery codes that are left. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    'select count(*) as count from recovery_codes where user_id = :userId and used_at is null',
    { userId },
  )
  return counted?.count ?? 0
}

/** Returns the names of the organizations of a person that require two steps. */
export async function listRequiring(db: Db, userId: string): Promise<string[]> {
  const found = await rows<{ name: string }>(
    db,
    `select o.name from organizations o join members m on m.organization_id = o.id
      where m.user_id = :userId and o.require_two_factor and o.deleted_at is null order by o.name`,
    { userId },
  )
  return found.map(({ name }) => name)
}
