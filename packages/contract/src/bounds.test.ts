import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { contract } from './contract.ts'

const { alert, recipients, campaigns, reminders, otp, chats, contacts, numbers, webhook, auth, events } = contract

const uuid = '0b6e7a52-8c8f-4b0a-9c58-0e2e6e3f1a11'
const phone = '+12025550100'
const url = 'https://a.example/'
const soon = '2026-10-01T09:00:00Z'

const text = (length: number) => 'x'.repeat(length)
const address = (length: number) => url.padEnd(length, 'x')
const phones = (length: number) => Array.from({ length }, () => phone)
const people = (length: number) => Array.from({ length }, () => ({ phone }))
const rows = (length: number) => Array.from({ length }, () => ({ phone, sendAt: soon }))
const words = (length: number) => Array.from({ length }, (_, index) => `word ${index}`)
const cards = (length: number) => Array.from({ length }, () => ({ fullName: 'Jane Doe', phone }))
const uuids = (length: number) =>
  Array.from({ length }, (_, index) => `0b6e7a52-8c8f-4b0a-9c58-${index.toString(16).padStart(12, '0')}`)
const values = (length: number) => Object.fromEntries(words(length).map((key) => [key, 'x']))
const mail = (length: number) => {
  const domain = Array.from({ length: 3 }, () => text(60)).join('.')
  const rest = `@${domain}.`
  const tail = length - 40 - rest.length
  return `${text(40)}${rest}${text(tail)}`
}

const image = { phone, imageUrl: url }
const location = { phone, latitude: 0, longitude: 0 }
const link = { phone, url }
const poll = { phone, question: 'Q', options: ['a', 'b'] }
const campaign = { name: 'n', template: 't', recipients: people(1) }
const reminder = { phone, message: 'm', sendAt: soon }
const person = { name: 'n', email: 'a@b.example', password: text(10), organizationName: 'o' }
const one = (key: string, value: unknown) => ({ contacts: [{ ...cards(1)[0], [key]: value }], phone })

/**
 * The name of a bound, its schema, the rest of a good input, the field, the furthest good values, the nearest bad ones.
 */
type Row = [name: string, schema: z.ZodType, rest: object, field: string, good: unknown[], bad: unknown[]]

const rowsOfBounds: Row[] = [
  ['send message', alert.send.body, { phone }, 'message', [text(1), text(4096)], [text(0), text(4097)]],
  [
    'send phone',
    alert.send.body,
    { message: 'm' },
    'phone',
    ['1234567', `${phone}${' '.repeat(52)}`],
    ['123456', `${phone}${' '.repeat(53)}`],
  ],
  [
    'send clientReference',
    alert.send.body,
    { phone, message: 'm' },
    'clientReference',
    [text(1), text(128)],
    [text(0), text(129)],
  ],
  ['send containerId', alert.send.body, { phone, message: 'm' }, 'containerId', [uuid], ['x', '', null]],
  ['send priority', alert.send.body, { phone, message: 'm' }, 'priority', ['high', 'normal', 'low'], ['urgent', '']],
  ['image caption', alert.sendImage.body, image, 'caption', [text(0), text(1024)], [text(1025)]],
  ['image filename', alert.sendImage.body, image, 'filename', [text(255)], [text(256), '']],
  ['image mimetype', alert.sendImage.body, image, 'mimetype', [text(100)], [text(101), '']],
  ['image url', alert.sendImage.body, { phone }, 'imageUrl', [address(2000)], [address(2001), 'ftp://a.example']],
  ['video url', alert.sendVideo.body, { phone }, 'videoUrl', [address(2000)], [address(2001)]],
  ['file url', alert.sendFile.body, { phone }, 'fileUrl', [address(2000)], [address(2001)]],
  ['voice url', alert.sendVoice.body, { phone }, 'audioUrl', [address(2000)], [address(2001)]],
  ['contact cards', alert.sendContact.body, { phone }, 'contacts', [cards(1), cards(10)], [[], cards(11)]],
  ['latitude', alert.sendLocation.body, location, 'latitude', [-90, 90], [-90.1, 90.1, '1']],
  ['longitude', alert.sendLocation.body, location, 'longitude', [-180, 180], [-180.1, 180.1]],
  ['place name', alert.sendLocation.body, location, 'name', [text(255)], [text(256)]],
  ['place address', alert.sendLocation.body, location, 'address', [text(500)], [text(501)]],
  ['link message', alert.sendLink.body, link, 'message', [text(4096)], [text(4097)]],
  ['link title', alert.sendLink.body, link, 'title', [text(255)], [text(256)]],
  ['link description', alert.sendLink.body, link, 'description', [text(1024)], [text(1025)]],
  ['link picture', alert.sendLink.body, link, 'imageUrl', [address(2000)], [address(2001)]],
  ['poll question', alert.sendPoll.body, poll, 'question', [text(1), text(255)], [text(0), text(256)]],
  [
    'poll options',
    alert.sendPoll.body,
    poll,
    'options',
    [words(2), words(12), [text(100), 'b']],
    [words(1), words(13), ['a', 'a'], [text(101), 'b'], ['', 'b']],
  ],
  [
    'validate phones',
    alert.validate.body,
    {},
    'phones',
    [phones(1), phones(500), ['no phone', ''], [text(65), text(100_000)]],
    [[], phones(501), [1]],
  ],
  [
    'batch recipients',
    alert.batch.body,
    { message: 'm' },
    'recipients',
    [phones(500), ['no phone'], [text(65)]],
    [[], phones(501), [null]],
  ],
  ['batch message', alert.batch.body, { recipients: phones(1) }, 'message', [text(4096)], [text(0), text(4097)]],
  ['edit message', alert.edit.body, {}, 'message', [text(4096)], [text(0), text(4097)]],
  ['edit caption', alert.edit.body, {}, 'caption', [text(1), text(1024)], [text(0), text(1025)]],
  [
    'list to clean',
    recipients.validate.body,
    {},
    'phones',
    [phones(10_000), ['no phone'], [text(65)]],
    [[], phones(10_001)],
  ],
  ['campaign name', campaigns.create.body, campaign, 'name', [text(1), text(255)], [text(0), text(256)]],
  ['campaign template', campaigns.create.body, campaign, 'template', [text(1), text(4096)], [text(0), text(4097)]],
  ['campaign recipients', campaigns.create.body, campaign, 'recipients', [people(10_000)], [[], people(10_001)]],
  ['campaign schedule', campaigns.create.body, campaign, 'scheduledAt', [soon, null], ['2026-10-01T09:00:00']],
  [
    'campaign variables',
    campaigns.create.body,
    campaign,
    'recipients',
    [[{ phone, variables: values(50) }]],
    [[{ phone, variables: values(51) }]],
  ],
  ['preview recipients', campaigns.preview.body, campaign, 'recipients', [people(10_000)], [[], people(10_001)]],
  ['new campaign list', campaigns.update.body, {}, 'recipients', [people(10_000)], [[], people(10_001)]],
  ['recipient search', campaigns.recipients.query, {}, 'search', [text(0), text(100)], [text(101)]],
  ['recipient page size', campaigns.recipients.query, {}, 'limit', ['1', '100'], ['0', '101']],
  ['reminder message', reminders.create.body, reminder, 'message', [text(1), text(4096)], [text(0), text(4097)]],
  ['reminder label', reminders.create.body, reminder, 'label', [null, text(255)], [text(256)]],
  ['reminder number', reminders.create.body, reminder, 'containerId', [null, uuid], ['x']],
  ['reminder time', reminders.create.body, reminder, 'sendAt', ['2026-10-01T09:00:00+02:00'], ['2026-10-01T09:00:00']],
  ['reminder variables', reminders.create.body, reminder, 'variables', [values(50)], [values(51), { a: text(1001) }]],
  ['reminder person', reminders.create.body, reminder, 'phone', ['123456789@lid', '1234567'], ['123456']],
  ['reminder zone', reminders.create.body, reminder, 'timeZone', ['Europe/Berlin'], ['+02:00']],
  ['import rows', reminders.import.body, { message: 'm' }, 'rows', [rows(1), rows(5000)], [[], rows(5001)]],
  [
    'import label',
    reminders.import.body,
    { message: 'm' },
    'rows',
    [[{ ...rows(1)[0], label: text(255) }]],
    [[{ ...rows(1)[0], label: text(256) }]],
  ],
  [
    'import person',
    reminders.import.body,
    { message: 'm' },
    'rows',
    [[{ ...rows(1)[0], phone: '+1234567' }]],
    [[{ ...rows(1)[0], phone: '123456789@lid' }]],
  ],
  ['reminder search', reminders.list.query, {}, 'search', [text(100)], [text(101)]],
  ['reminder page size', reminders.list.query, {}, 'limit', ['100'], ['101']],
  [
    'code phone',
    otp.send.body,
    {},
    'phone',
    ['+1234567', '+1 202 555 0100-----'],
    ['1234567', '+1 202 555 0100------', '123456789@lid'],
  ],
  ['code template', otp.send.body, { phone }, 'template', ['', text(500)], [text(501)]],
  ['code length', otp.send.body, { phone }, 'length', [4, 8], [3, 9, 4.5, '6']],
  ['typed code', otp.verify.body, { requestId: uuid }, 'code', ['1234', '12345678'], ['123', '123456789', 1234]],
  ['message search', contract.messages.list.query, {}, 'search', [text(100)], [text(101)]],
  ['message page size', contract.messages.list.query, {}, 'limit', ['100'], ['101', '0']],
  ['message cursor', contract.messages.list.query, {}, 'cursor', [text(200)], [text(201)]],
  ['thread size', chats.thread.query, {}, 'limit', ['1', '500'], ['0', '501']],
  [
    'thread person',
    chats.thread.params,
    {},
    'phone',
    [phone, '12025550100', '123456789@lid'],
    ['abc', '@lid', 'unread'],
  ],
  ['unread size', chats.unread.query, {}, 'limit', ['500'], ['501']],
  ['read ids', chats.ack.body, {}, 'ids', [[uuid], uuids(500)], [[], uuids(501), ['x']]],
  ['contact search', contacts.search.query, {}, 'search', [text(1), text(100)], [text(0), text(101)]],
  ['contact size', contacts.search.query, { search: 's' }, 'limit', ['1', '50'], ['0', '51']],
  [
    'stop words',
    contacts.setOptOutWords.body,
    {},
    'words',
    [[], words(50), [text(50)]],
    [words(51), [text(51)], ['  '], ['start']],
  ],
  ['number label', numbers.create.body, {}, 'label', [text(1), text(100)], [text(0), text(101)]],
  ['group numbers', numbers.setSendGroup.body, {}, 'containerIds', [[], uuids(20)], [uuids(21), [uuid, uuid], ['x']]],
  ['group mode', numbers.setSendGroup.body, {}, 'mode', ['backup', 'share'], ['both']],
  ['profile name', numbers.setProfile.body, {}, 'name', [text(1), text(25)], [text(0), text(26)]],
  ['profile about', numbers.setProfile.body, {}, 'about', [text(0), text(139)], [text(140)]],
  ['profile picture', numbers.setProfile.body, {}, 'pictureUrl', [address(2000)], [address(2001)]],
  ['pairing phone', numbers.pair.body, {}, 'phone', ['+1234567'], ['1234567', '123456789@lid']],
  [
    'webhook address',
    webhook.set.body,
    {},
    'webhookUrl',
    [null, address(2000)],
    [address(2001), 'ftp://a.example', '', undefined],
  ],
  ['secret overlap', webhook.regenerateSecret.body, {}, 'overlapSeconds', [0, 86_400], [-1, 86_401, 1.5]],
  ['event page size', events.list.query, {}, 'limit', ['500'], ['501']],
  ['event cursor', events.list.query, {}, 'after', [text(200)], [text(201)]],
  [
    'event kinds',
    events.list.query,
    {},
    'types',
    ['message.read', 'message.read, poll.vote'],
    ['', 'message.eaten', 'message.read,'],
  ],
  ['sign-up password', auth.signUp.body, person, 'password', [text(10), text(200)], [text(9), text(201)]],
  ['sign-up name', auth.signUp.body, person, 'name', [text(1), text(100)], [text(0), text(101)]],
  ['sign-up organization', auth.signUp.body, person, 'organizationName', [text(1), text(100)], [text(0), text(101)]],
  ['sign-up e-mail', auth.signUp.body, person, 'email', ['a@b.example', mail(254)], ['a@b', 'a', mail(255)]],
  ['sign-up products', auth.signUp.body, person, 'products', [['notify']], [[], ['gold'], ['notify', 'notify']]],
  ['forgotten e-mail', auth.forgotPassword.body, {}, 'email', ['a@b.example', mail(254)], ['a@b', mail(255)]],
  ['new password', auth.resetPassword.body, { token: 't' }, 'password', [text(10), text(200)], [text(9), text(201)]],
  ['link token', auth.verifyEmail.body, {}, 'token', [text(1), text(200)], [text(0), text(201)]],
  [
    'sign-in password',
    auth.signIn.body,
    { email: 'a@b.example' },
    'password',
    [text(1), text(200)],
    [text(0), text(201)],
  ],
]

describe('bounds of every field', () => {
  it.each(rowsOfBounds)('%s', (_name, schema, rest, field, good, bad) => {
    for (const value of good) {
      const refused = schema.safeParse({ ...rest, [field]: value }).error?.issues
      expect(refused, `${field} should take ${JSON.stringify(value)?.slice(0, 60)}`).toBeUndefined()
    }
    for (const value of bad) {
      const fields = schema.safeParse({ ...rest, [field]: value }).error?.issues.map((issue) => issue.path[0])
      expect(fields, `${field} should refuse ${JSON.stringify(value)?.slice(0, 60)}`).toContain(field)
    }
  })

  it.each([
    ['fullName', [text(1), text(255)], [text(0), text(256)]],
    ['organization', [text(255)], [text(256)]],
    ['email', [mail(254)], [mail(255), 'x']],
    ['url', [address(2000)], [address(2001)]],
    ['phone', ['+1234567'], ['123', '123456789@lid']],
  ])('%s of a contact card', (key, good, bad) => {
    for (const value of good) expect(alert.sendContact.body.safeParse(one(key, value)).success).toBe(true)
    for (const value of bad) {
      const paths = alert.sendContact.body.safeParse(one(key, value)).error?.issues.map((issue) => issue.path.join('.'))
      expect(paths).toContain(`contacts.0.${key}`)
    }
  })
})
