import { type Db, serviceNow } from '../db/db.ts'

/** A person as the API shows one. */
export interface UserRow {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Stores a person. Returns false when the e-mail is known already. */
export async function insertUser(trx: Db, user: UserRow & { readonly passwordHash: string }): Promise<boolean> {
  const stored = await trx('users')
    .insert({
      id: user.id,
      name: user.name,
      email: user.email,
      password_hash: user.passwordHash,
      created_at: serviceNow(trx),
    })
    .onConflict(trx.raw('(lower(email))'))
    .ignore()
    .returning('id')
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
