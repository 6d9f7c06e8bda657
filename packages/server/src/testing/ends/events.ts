import { resetPassword } from '#people/auth/reset-password.ts'
import { setActive } from '#people/organizations/settings.ts'
import { endSessions, resetTwoFactor } from '#process/operator/people.ts'
import { turnOn } from '#testing/features/authenticator.ts'
import { linkTokenTo, password } from '#testing/features/person.ts'
import { makeOrganization, makeToken } from '#testing/make.ts'
import { type Holder, visitorOf } from './holder.ts'

const newPassword = 'another long password'

/** Something that may end access. */
export interface AccessEvent {
  /** How the person differs. Default: with two-step sign-in, and with a confirmed address. */
  readonly person?: { readonly twoFactor?: false; readonly verified?: false }
  readonly happen: (holder: Holder) => Promise<unknown>
  /** Takes it back, where that is possible: what only pauses works again then. */
  readonly undo?: (holder: Holder) => Promise<unknown>
}

const config = ({ world }: Holder) => world.server.services.config
const db = ({ world }: Holder) => world.server.db

/** Returns the password with a recovery code, which proves both steps. */
const bothSteps = ({ twoFactor }: Holder) => ({ password, recoveryCode: twoFactor?.recoveryCodes.pop() ?? '' })
const withCode = ({ twoFactor }: Holder) => ({ password, code: twoFactor?.authenticator.code() ?? '' })

/** Everything that ends access, and what might be taken for it. */
export const events = {
  'the person changes the password': {
    async happen(holder) {
      await holder.acting.client.auth.changePassword({ currentPassword: password, newPassword })
      holder.password = newPassword
    },
  },
  'the person ends all other sessions': { happen: ({ acting }) => acting.client.auth.endSessions() },
  'the person ends one session': {
    happen: ({ acting, other }) => acting.client.auth.endSession({ sessionId: other.id }),
  },
  'the person signs out': { happen: ({ acting }) => acting.client.auth.signOut() },
  'the person turns two steps on': { person: { twoFactor: false }, happen: ({ acting }) => turnOn(acting.client) },
  'the person turns two steps off': {
    happen: (holder) => holder.acting.client.auth.disableTwoFactor(bothSteps(holder)),
  },
  'the person sets a new password by a link': {
    async happen(holder) {
      const visitor = visitorOf(holder.world)
      await visitor.auth.forgotPassword({ email: holder.email })
      const token = await linkTokenTo(holder.world.server, holder.email, 'reset')
      await visitor.auth.resetPassword({ token, password: newPassword })
      holder.password = newPassword
    },
  },
  'the operator sets a new password': {
    async happen(holder) {
      const { organizationId } = holder.organization
      holder.password = (await resetPassword(db(holder), organizationId, holder.email)).password
    },
  },
  'the operator turns two steps off': { happen: (holder) => resetTwoFactor(db(holder), config(holder), holder.email) },
  'the operator ends all sessions': { happen: (holder) => endSessions(db(holder), holder.email) },
  'the person joins by an invitation that proves the mailbox': {
    person: { verified: false },
    async happen(holder) {
      const { server } = holder.world
      const inviter = server.client({ token: await makeToken(server, await makeOrganization(server)) })
      await inviter.team.invite({ email: holder.email, role: 'member' })
      const token = await linkTokenTo(server, holder.email, 'join')
      await visitorOf(holder.world).auth.join({ token, name: 'Ada', password: newPassword })
      holder.password = newPassword
    },
  },
  'an owner removes the person': { happen: ({ owner, userId }) => owner.team.remove({ userId }) },
  'the person leaves': { happen: ({ acting }) => acting.client.team.leave() },
  'the person becomes a member': { happen: ({ owner, userId }) => owner.team.changeRole({ userId, role: 'member' }) },
  'the account is deleted': { happen: (holder) => holder.acting.client.auth.deleteAccount(withCode(holder)) },
  'the organization is deleted': {
    happen: ({ owner }) => owner.organization.delete({ name: 'Test', password, deleteAccount: true }),
  },
  'the organization is deactivated': {
    happen: (holder) => setActive(db(holder), holder.organization.organizationId, false),
    undo: (holder) => setActive(db(holder), holder.organization.organizationId, true),
  },
  'the account key is regenerated': { happen: ({ owner }) => owner.account.regenerateKey() },
  'the key of the number is regenerated': {
    happen: ({ owner, containerId }) => owner.numbers.regenerateKey({ containerId }),
  },
  'the key of the number is deleted': { happen: ({ owner, containerId }) => owner.numbers.deleteKey({ containerId }) },
} as const satisfies Readonly<Record<string, AccessEvent>>

/** The name of an event. */
export type EventName = keyof typeof events
