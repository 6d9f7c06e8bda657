import { describe, expect, it } from 'vitest'
import { contract } from './contract.ts'
import { listErrors, type Route } from './route.ts'

const { alert, recipients, campaigns, reminders, otp, chats, contacts, numbers, account, webhook } = contract

/** A route with its gate, its callers and its codes, as the specification lists them. */
type Row = [route: Route, feature: string | undefined, keys: string, codes: string]

const media = 'VALIDATION_ERROR NO_SESSION_CONFIGURED PRODUCT_REQUIRED GATEWAY_ERROR GATEWAY_SESSION_ERROR'
const files = 'SEND_FILE_TOO_LARGE SEND_FILE_TYPE_NOT_ALLOWED SEND_FILE_URL_UNREACHABLE'
const state = 'CAMPAIGN_INVALID_STATE NOT_FOUND'

const rows: Row[] = [
  [
    alert.send,
    'send',
    'any',
    'VALIDATION_ERROR NUMBER_NOT_ON_NETWORK NO_SESSION_CONFIGURED NOT_FOUND NUMBER_VALIDATION_UNAVAILABLE',
  ],
  [alert.sendImage, 'media', 'any', `${media} ${files}`],
  [alert.sendVideo, 'media', 'any', `${media} ${files}`],
  [alert.sendFile, 'media', 'any', `${media} ${files}`],
  [alert.sendVoice, 'media', 'any', `${media} ${files}`],
  [
    alert.validate,
    'batch',
    'any',
    'VALIDATION_ERROR NO_VALID_NUMBERS NUMBER_VALIDATION_UNAVAILABLE NO_SESSION_CONFIGURED',
  ],
  [recipients.validate, 'batch', 'any', 'VALIDATION_ERROR NO_SESSION_CONFIGURED'],
  [
    alert.batch,
    'batch',
    'any',
    'VALIDATION_ERROR NO_VALID_NUMBERS NUMBER_NOT_ON_NETWORK NUMBER_VALIDATION_UNAVAILABLE NO_SESSION_CONFIGURED',
  ],
  [campaigns.create, 'campaigns', 'any', 'VALIDATION_ERROR'],
  [campaigns.status, 'campaigns', 'any', 'NOT_FOUND'],
  [campaigns.update, 'campaigns', 'any', `${state} VALIDATION_ERROR`],
  [campaigns.send, 'campaigns', 'any', `${state} NO_SESSION_CONFIGURED`],
  [campaigns.pause, 'campaigns', 'any', state],
  [campaigns.resume, 'campaigns', 'any', `${state} NO_SESSION_CONFIGURED`],
  [reminders.create, 'reminders', 'account', 'VALIDATION_ERROR NOT_FOUND'],
  [reminders.import, 'reminders', 'account', 'VALIDATION_ERROR NOT_FOUND'],
  [reminders.update, 'reminders', 'account', 'VALIDATION_ERROR NOT_FOUND FORBIDDEN_ACTION'],
  [reminders.cancel, 'reminders', 'account', 'NOT_FOUND FORBIDDEN_ACTION'],
  [reminders.delete, 'reminders', 'account', 'NOT_FOUND'],
  [
    otp.send,
    'otp',
    'any',
    'VALIDATION_ERROR OTP_TEMPLATE_MISSING_CODE OTP_RATE_LIMITED NO_SESSION_CONFIGURED GATEWAY_ERROR ' +
      'GATEWAY_SESSION_ERROR',
  ],
  [otp.verify, 'otp', 'any', 'OTP_INVALID_CODE OTP_EXPIRED OTP_MAX_ATTEMPTS OTP_ALREADY_VERIFIED NOT_FOUND'],
  [chats.thread, 'inbox', 'any', 'VALIDATION_ERROR'],
  [chats.ack, 'inbox', 'any', 'VALIDATION_ERROR'],
  [contacts.search, 'inbox', 'any', 'VALIDATION_ERROR'],
  [contacts.sync, 'inbox', 'any', 'NO_SESSION_CONFIGURED GATEWAY_ERROR GATEWAY_SESSION_ERROR'],
  [numbers.list, undefined, 'account', 'AUTH_ERROR NUMBER_KEY_SCOPE'],
  [numbers.sendGroup, undefined, 'account', 'ROLE_FORBIDDEN'],
  [numbers.setSendGroup, undefined, 'none', 'VALIDATION_ERROR NOT_FOUND USER_REQUIRED ROLE_FORBIDDEN'],
  [numbers.status, undefined, 'any', 'NO_SESSION_CONFIGURED NOT_FOUND'],
  [numbers.qr, undefined, 'any', 'GATEWAY_UNREACHABLE NO_SESSION_CONFIGURED'],
  [numbers.pair, undefined, 'any', 'VALIDATION_ERROR GATEWAY_UNREACHABLE GATEWAY_ERROR'],
  [numbers.start, undefined, 'any', 'GATEWAY_ERROR NO_SESSION_CONFIGURED'],
  [numbers.create, undefined, 'none', 'NUMBER_LIMIT_REACHED USER_REQUIRED'],
  [account.me, undefined, 'account', 'AUTH_ERROR NUMBER_KEY_SCOPE'],
  [contract.messages.list, undefined, 'account', 'NUMBER_KEY_SCOPE'],
  [contract.messages.stats, undefined, 'account', 'NUMBER_KEY_SCOPE'],
  [account.generateKey, 'api', 'account', 'CONFLICT'],
  [account.regenerateKey, 'api', 'account', 'PRODUCT_REQUIRED'],
  [numbers.regenerateKey, 'api', 'account', 'CONTAINER_NOT_FOUND PRODUCT_REQUIRED'],
  [webhook.set, 'webhooks', 'account', 'VALIDATION_ERROR PRODUCT_REQUIRED'],
  [webhook.get, 'webhooks', 'account', 'PRODUCT_REQUIRED ROLE_FORBIDDEN'],
  [webhook.regenerateSecret, 'webhooks', 'account', 'PRODUCT_REQUIRED WEBHOOK_SIGNING_UNAVAILABLE'],
]

describe('what the specification says of a route', () => {
  it.each(rows.map((row) => [row[0].endpoint, ...row] as const))('%s', (_name, route, feature, keys, codes) => {
    expect(route.access).toMatchObject(feature === undefined ? { keys } : { feature, keys })
    expect('feature' in route.access).toBe(feature !== undefined)
    expect(listErrors(route)).toEqual(expect.arrayContaining(codes.split(' ')))
  })

  it.each([
    [alert.send, 201],
    [alert.sendImage, 201],
    [alert.batch, 201],
    [campaigns.create, 201],
    [reminders.create, 201],
    [reminders.import, 201],
    [otp.send, 201],
    [alert.validate, 200],
    [campaigns.send, 200],
    [reminders.update, 200],
    [otp.verify, 200],
    [webhook.set, 200],
  ] as const)('gives $endpoint its status', (route, status) => {
    expect(route.status).toBe(status)
  })
})
