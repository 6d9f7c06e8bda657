import { openSecrets } from '@msgctl/network/secrets'
import { endAccess } from '#api/access/end-access.ts'
import { operator, recordForPerson } from '#api/activity/log.ts'
import { clearAttempts, findLock } from '#people/auth/attempts.ts'
import { makeLink } from '#people/auth/links.ts'
import { findPerson, listMemberships, type Membership, type PersonDetails } from '#people/auth/person-store.ts'
import { clearCodeAttempts, findCodeLock } from '#people/auth/two-factor/second-step.ts'
import { disable } from '#people/auth/two-factor/store.ts'
import { Refusal } from '#people/organizations/refusal.ts'
import { erasePerson } from '#people/team/erase-person.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { selectMailer } from '#platform/mail/mailer.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Config } from '#process/config.ts'

/** How long a link of the operator works: it is handed over by a person. */
const linkMinutes = 24 * 60

/** A person with their organizations. */
export interface ShownPerson extends PersonDetails {
  /** Until when wrong passwords lock the sign-in; null while it is not locked. */
  readonly signInLockedUntil: Date | null
  /** Until when wrong codes lock the second step; null while it is not locked. */
  readonly secondStepLockedUntil: Date | null
  readonly organizations: readonly Membership[]
}

/** A person whose access ended, with how many sessions and AI connections there were. */
export interface EndedPerson {
  readonly email: string
  readonly ended: number
  readonly aiConnectionsEnded: number
}

/** Returns everything that the operator sees of a person. Throws {@link Refusal} for an unknown e-mail. */
export async function showPerson(db: Db, email: string): Promise<ShownPerson> {
  const person = await requirePerson(db, email)
  return {
    ...person,
    signInLockedUntil: await findLock(db, person.email),
    secondStepLockedUntil: await findCodeLock(db, person.id),
    organizations: await listMemberships(db, person.id),
  }
}

/**
 * Ends the locks that wrong passwords and wrong codes put on a sign-in. Returns when the later one would have ended.
 * Throws {@link Refusal} when there is none.
 */
export async function unlockSignIn(db: Db, email: string): Promise<{ email: string; lockedUntil: Date }> {
  return transaction(db, async (trx) => {
    const person = await requirePerson(trx, email)
    const locks = [await findLock(trx, person.email), await findCodeLock(trx, person.id)]
    const [lockedUntil] = locks.filter((until) => until !== null).sort((one, other) => Number(other) - Number(one))
    if (!lockedUntil) throw new Refusal(`The sign-in of ${person.email} is not locked.`)
    await clearAttempts(trx, person.email)
    await clearCodeAttempts(trx, person.id)
    await recordOperator(trx, person.id, 'sign_in.unlocked')
    return { email: person.email, lockedUntil }
  })
}

/** Creates a link that sets a password, which replaces an earlier one. Nothing is mailed. */
export async function resetLink(db: Db, config: Config, email: string): Promise<{ email: string; link: string }> {
  return transaction(db, async (trx) => {
    const person = await requirePerson(trx, email)
    const link = await makeLink(trx, { config }, person.id, 'reset', linkMinutes)
    await recordOperator(trx, person.id, 'password.link_created')
    return { email: person.email, link }
  })
}

/**
 * Turns two-step sign-in of a person off, ends all their access and mails them. Throws {@link Refusal} when it is off.
 */
export async function resetTwoFactor(db: Db, config: Config, email: string): Promise<EndedPerson> {
  const secrets = openSecrets(config.secretsKeys)
  const mailer = selectMailer(config, secrets)
  return transaction(db, async (trx) => {
    const person = await requirePerson(trx, email)
    if (!(await disable(trx, person.id))) throw new Refusal(`Two-step sign-in of ${person.email} is off.`)
    const ended = await endAll(trx, person.id)
    await recordOperator(trx, person.id, 'two_factor.reset')
    const facts = { name: person.name, byOperator: true }
    await queueMail(trx, { mailer, secrets, config }, { to: person.email, kind: 'two_factor_off', facts })
    return { email: person.email, ...ended }
  })
}

/** Ends all access of a person: sessions, half-finished sign-ins, and programs that act for them. */
export async function endSessions(db: Db, email: string): Promise<EndedPerson> {
  return transaction(db, async (trx) => {
    const person = await requirePerson(trx, email)
    const ended = await endAll(trx, person.id)
    await recordOperator(trx, person.id, 'sessions.ended')
    return { email: person.email, ...ended }
  })
}

/** Deletes an account and erases it. Throws {@link Refusal} while the person owns an organization. */
export async function deletePerson(db: Db, email: string): Promise<{ email: string; deleted: true }> {
  return transaction(db, async (trx) => {
    const person = await requirePerson(trx, email)
    const owned = (await listMemberships(trx, person.id)).filter(
      ({ role, isDeleted }) => role === 'owner' && !isDeleted,
    )
    if (owned.length > 0) {
      const names = owned.map(({ name }) => name).join(', ')
      throw new Refusal(`${person.email} owns ${names}. The owner has to transfer or delete it first.`)
    }
    await recordOperator(trx, person.id, 'account.deleted')
    await erasePerson(trx, person, operator)
    return { email: person.email, deleted: true }
  })
}

async function requirePerson(db: Db, email: string): Promise<PersonDetails> {
  const person = await findPerson(db, email)
  if (!person) throw new Refusal(`There is no account with the address ${email}.`)
  return person
}

async function endAll(trx: Db, userId: string): Promise<Omit<EndedPerson, 'email'>> {
  const { sessions, connections } = await endAccess(trx, { userId, organizationId: null, by: operator })
  return { ended: sessions, aiConnectionsEnded: connections }
}

function recordOperator(trx: Db, userId: string, action: string): Promise<void> {
  return recordForPerson(trx, userId, { origin: undefined, actor: operator, action, subject: userId })
}
