import { randomBytes } from 'node:crypto'

/** What a canary stands for, and its text. */
export type Canary = readonly [what: string, text: string]

function canary(word: string): string {
  return `${word}-canary-${randomBytes(6).toString('hex')}`
}

/** Texts that are found wherever they leak, each for one use. */
export function planted() {
  return {
    name: canary('Name'),
    email: `${canary('mail')}@example.com`,
    password: canary('password'),
    wrongPassword: canary('wrong'),
    message: canary('text'),
    written: canary('written'),
    reference: canary('reference'),
    idempotencyKey: canary('idempotency'),
    strangeKey: canary('msk'),
    strangeToken: canary('bearer'),
    userInfo: `${canary('user')}:${canary('secret')}`,
    webhookPath: `/hook/${canary('path')}?token=${canary('query')}`,
    receiverAnswer: canary('answer'),
    noise: canary('noise'),
    pairedPhone: '+13105561999',
    /** One person of the simulated network for each way a send can go. */
    phones: {
      read: '+13105550100',
      offNetwork: '+13105550101',
      unknown: '+13105550102',
      failsLater: '+13105550110',
      refused: '+13105550111',
      outOfOrder: '+13105550123',
    },
  }
}
