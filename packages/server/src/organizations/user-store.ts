import { type Db, rows } from '../db/db.ts'

/** A person as the API shows one. */
export interface UserRow {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Stores a person. Returns false when the e-mail is known already. */
export async function insertUser(trx: Db, user: UserRow & { readonly passwordHash: string }): Promise<boolean> {
  const stored = await rows(
    trx,
    `insert into users (id, name, email, password_hash, created_at)
     values (:id, :name, :email, :passwordHash, service_now())
     on conflict ((lower(email))) do nothing returning id`,
    { ...user },
  )
  return stored.length > 0
}

/** Writes the password of a person. */
export async function writePassword(trx: Db, userId: string, passwordHash: string): Promise<void> {
  await trx('users').where({ id: userId }).update({ password_hash: passwordHash })
}

/** Replaces the password of a person. Returns false when it is no longer `oldHash`. */
export async function replacePassword(
  trx: Db,
  userId: string,
  oldHash: string,
  passwordHash: string,
): Promise<boolean> {
  const written = await trx('users')
    .where({ id: userId, password_hash: oldHash })
    .update({ password_hash: passwordHash })
  return written > 0
}

/** Locks the password of a person against a change. Returns false when it is no longer `passwordHash`. */
export async function lockPassword(trx: Db, userId: string, passwordHash: string): Promise<boolean> {
  const locked = await trx('users').select('id').where({ id: userId, password_hash: passwordHash }).forShare()
  return locked.length > 0
}
