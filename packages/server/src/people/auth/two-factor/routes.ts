import { randomBytes } from 'node:crypto'
import type { Contract } from '@msgctl/contract'
import { deleteChallenges } from '#api/access/challenge-store.ts'
import { endAccess } from '#api/access/end-access.ts'
import { clearTwoFactor, writeTwoFactor } from '#api/access/token-store.ts'
import { recordForPerson, toActor } from '#api/activity/log.ts'
import type { Handlers } from '#api/http/handler.ts'
import { countRefusals } from '#people/auth/count-refusals.ts'
import { requirePassword } from '#people/auth/require-password.ts'
import { sessionEnded } from '#people/auth/session-ended.ts'
import { personOf } from '#people/auth/sessions.ts'
import { lockUser } from '#people/organizations/user-store.ts'
import { transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { secondStep } from './challenge.ts'
import { machineNowMs } from './machine-clock.ts'
import { hashRecoveryCode, newRecoveryCodes, recoveryWarning } from './recovery-codes.ts'
import { attemptSecondStep, checkSecondStep, notEnabled, openSecret, toSecretPlace } from './second-step.ts'
import {
  countRecoveryCodes,
  disable,
  enable,
  findTwoFactor,
  listRequiring,
  putPending,
  replaceRecoveryCodes,
} from './store.ts'
import { findStep, otpauthUrl, toBase32 } from './totp.ts'

const secretBytes = 20
const setUpMinutes = 10

type TwoFactorHandlers = Pick<
  Handlers<Contract['auth']>,
  'secondStep' | 'twoFactor' | 'setUpTwoFactor' | 'enableTwoFactor' | 'disableTwoFactor' | 'newRecoveryCodes'
>

function alreadyEnabled() {
  return apiError('TWO_FACTOR_ALREADY_ENABLED', 'Two-step sign-in is on already.')
}

export const twoFactorHandlers: TwoFactorHandlers = {
  secondStep: countRefusals(secondStep),

  async twoFactor({ caller }, { db }) {
    const userId = personOf(caller)
    const found = await findTwoFactor(db, userId)
    const enabledAt = found?.enabledAt ?? null
    return {
      enabled: enabledAt !== null,
      enabledAt: enabledAt?.toISOString() ?? null,
      recoveryCodesLeft: await countRecoveryCodes(db, userId),
      requiredBy: await listRequiring(db, userId),
    }
  },

  async setUpTwoFactor({ caller, body }, services) {
    const { db, secrets, config } = services
    if (!secrets.available) {
      throw apiError('TWO_FACTOR_UNAVAILABLE', 'This server cannot store secrets, so two-step sign-in is unavailable.')
    }
    const person = await requirePassword(services, caller, body.password)
    const secret = randomBytes(secretBytes)
    const sealed = secrets.encrypt(secret.toString('base64'), toSecretPlace(person.userId))
    const until = await transaction(db, async (trx) => {
      const pendingUntil = await putPending(trx, person.userId, sealed, setUpMinutes)
      if (!pendingUntil) throw alreadyEnabled()
      await recordForPerson(trx, person.userId, { origin: caller.origin, action: 'two_factor.set_up' })
      return pendingUntil
    })
    const url = otpauthUrl(secret, config.serviceName, person.email)
    const { toDataURL } = await import('qrcode')
    return {
      secret: toBase32(secret),
      otpauthUrl: url,
      image: await toDataURL(url),
      expiresAt: until.toISOString(),
    }
  },

  async enableTwoFactor({ caller, body }, services) {
    const { db } = services
    const userId = personOf(caller)
    const found = await findTwoFactor(db, userId)
    if (found?.enabledAt) throw alreadyEnabled()
    const sealed = found?.pendingSealed ?? null
    if (sealed === null) throw apiError('TWO_FACTOR_SETUP_EXPIRED', 'The set-up has expired. Set it up again.')
    const step = findStep(openSecret(services, userId, sealed), body.code, machineNowMs())
    await attemptSecondStep(services, userId, async () => step !== null)
    const recoveryCodes = newRecoveryCodes()
    await transaction(db, async (trx) => {
      const person = await lockUser(trx, userId)
      if (!person) throw sessionEnded()
      if (!(await enable(trx, userId, sealed, step ?? 0))) throw alreadyEnabled()
      await replaceRecoveryCodes(trx, userId, recoveryCodes.map(hashRecoveryCode))
      await writeTwoFactor(trx, caller.credentialHash)
      const { sessions: ended } = await endAccess(trx, {
        userId,
        organizationId: null,
        keep: caller.credentialHash,
        by: toActor(caller),
      })
      await recordForPerson(trx, userId, { origin: caller.origin, action: 'two_factor.enabled', details: { ended } })
      await queueMail(trx, services, { to: person.email, kind: 'two_factor_on', facts: { name: person.name } })
    })
    return { recoveryCodes, warning: recoveryWarning }
  },

  async disableTwoFactor({ caller, body }, services) {
    const { db } = services
    const userId = personOf(caller)
    if (!(await findTwoFactor(db, userId))?.enabledAt) throw notEnabled()
    const [requiring] = await listRequiring(db, userId)
    if (requiring !== undefined) {
      throw apiError('TWO_FACTOR_REQUIRED', `${requiring} requires two-step sign-in of its members. Leave it first.`)
    }
    const person = await requirePassword(services, caller, body.password)
    await checkSecondStep(services, userId, body)
    await transaction(db, async (trx) => {
      if (!(await disable(trx, userId))) throw notEnabled()
      await clearTwoFactor(trx, userId)
      await deleteChallenges(trx, { userId, organizationId: null })
      await recordForPerson(trx, userId, { origin: caller.origin, action: 'two_factor.disabled' })
      const facts = { name: person.name, byOperator: false }
      await queueMail(trx, services, { to: person.email, kind: 'two_factor_off', facts })
    })
    return {}
  },

  async newRecoveryCodes({ caller, body }, services) {
    const userId = personOf(caller)
    if (!(await findTwoFactor(services.db, userId))?.enabledAt) throw notEnabled()
    await requirePassword(services, caller, body.password)
    await checkSecondStep(services, userId, body)
    const recoveryCodes = newRecoveryCodes()
    await transaction(services.db, async (trx) => {
      await replaceRecoveryCodes(trx, userId, recoveryCodes.map(hashRecoveryCode))
      await recordForPerson(trx, userId, { origin: caller.origin, action: 'two_factor.codes_replaced' })
    })
    return { recoveryCodes, warning: recoveryWarning }
  },
}
