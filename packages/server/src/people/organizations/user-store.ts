import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'

/** A person as the API shows one. */
export interface UserRow {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** Stores a person. Returns false when the e-mail is known already. */
export async function insertUser(trx: Db, user: UserRow & { readonly passwordHash: string | null }): Promise<boolean> {
  const stored = await trx('users')
    .insert({
      id: user.id,
      name: user.name,
      email: user.email,
      passwordHash: user.passwordHash,
      createdAt: serviceNow(trx),
    })
    .onConflict(trx.raw('(lower(email))'))
    .ignore()
    .returning('id')
  return stored.length > 0
}

/** Returns the person, or undefined. */
export async function findUser(db: Db, userId: string): Promise<UserRow | undefined> {
  return db('users').select('id', 'name', 'email').where({ id: userId }).first()
}

/** Returns the person with this e-mail, or undefined. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return firstRow<UserRow>(db, 'select id, name, email from users where lower(email) = lower(:email)', {
    email,
  })
}

/** Locks and returns the person, or undefined. */
export async function lockUser(trx: Db, userId: string): Promise<UserRow | undefined> {
  return trx('users').select('id', 'name', 'email').where({ id: userId }).forNoKeyUpdate().first()
}

/** Notes that a person has proved to receive mail at their address. */
export async function writeEmailVerified(trx: Db, userId: string): Promise<void> {
  await rows(
    trx,
    'update users set email_verified_at = coalesce(email_verified_at, service_now()) where id = :userId',
    { userId },
  )
}

/** Writes the password of a person. */
export async function writePassword(trx: Db, userId: string, passwordHash: string): Promise<void> {
  await trx('users').where({ id: userId }).update({ passwordHash })
}

/** Replaces the password of a person. Returns false when it is no longer `oldHash`. */
export async function replacePassword(
  trx: Db,
  userId: string,
  oldHash: string,
  passwordHash: string,
): Promise<boolean> {
  const written = await trx('users').where({ id: userId, passwordHash: oldHash }).update({ passwordHash })
  return written > 0
}

/** Locks the password of a person against a change. Returns false when it is no longer `passwordHash`. */
export async function lockPassword(trx: Db, userId: string, passwordHash: string): Promise<boolean> {
  const locked = await trx('users').select('id').where({ id: userId, passwordHash }).forShare()
  return locked.length > 0
}

/** Writes the name of a person. */
export async function writeName(trx: Db, userId: string, name: string): Promise<void> {
  await trx('users').where({ id: userId }).update({ name })
}

/** An account by its address. */
export interface Account extends UserRow {
  readonly passwordHash: string | null
  /** Whether the person proved to receive mail at the address. */
  readonly emailVerified: boolean
}

/** Returns the account with this e-mail, whether it is in an organization or not. */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  return firstRow<Account>(
    db,
    `select id, name, email, password_hash, email_verified_at is not null as email_verified
       from users where lower(email) = lower(:email)`,
    { email },
  )
}

/** Notes that a person starts their free trial. Returns false when they had one. */
export async function startTrialOf(trx: Db, userId: string): Promise<boolean> {
  const started = await trx('users')
    .where({ id: userId })
    .whereNull('hadTrialAt')
    .update({ hadTrialAt: serviceNow(trx) })
  return started > 0
}

/** Deletes a person. Rows that refer to them are deleted too. */
export async function deleteUser(trx: Db, userId: string): Promise<void> {
  await trx('users').where({ id: userId }).delete()
}
