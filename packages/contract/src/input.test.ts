import { describe, expect, it } from 'vitest'
import { contract } from './contract.ts'

const { alert, campaigns, reminders, otp, chats, contacts, numbers, auth, events } = contract

const uuid = '0b6e7a52-8c8f-4b0a-9c58-0e2e6e3f1a11'
const phone = '+12025550100'
const soon = '2026-10-01T09:00:00Z'
const campaign = { name: 'n', template: 't', recipients: [{ phone }] }
const reminder = { phone, message: 'm', sendAt: soon }
const people = (length: number) => Array.from({ length }, () => ({ phone }))
const rows = (length: number) => Array.from({ length }, () => ({ phone, sendAt: soon }))

describe('bounds between fields', () => {
  it('refuses a badly shaped phone of a campaign or an import by its row', () => {
    const list = [...people(3), { phone: 'nobody' }]
    const inCampaign = campaigns.create.body.safeParse({ ...campaign, recipients: list })
    expect(inCampaign.error?.issues.map((issue) => issue.path.join('.'))).toEqual(['recipients.3.phone'])
    const inImport = reminders.import.body.safeParse({
      message: 'm',
      rows: [...rows(1), { phone: 'nobody', sendAt: soon }],
    })
    expect(inImport.error?.issues.map((issue) => issue.path.join('.'))).toEqual(['rows.1.phone'])
  })

  it.each([
    [{}, false],
    [{ message: 'm', caption: 'c' }, false],
    [{ message: 'm' }, true],
    [{ caption: 'c' }, true],
  ])('edits either the message or the caption: %j', (body, good) => {
    expect(alert.edit.body.safeParse(body).success).toBe(good)
  })

  it.each([
    [{ enabled: true, containerIds: [] }, false],
    [{ enabled: true, containerIds: [uuid] }, true],
    [{ enabled: true }, true],
    [{ enabled: false, containerIds: [] }, true],
    [{}, true],
  ])('turns a send group on only with numbers: %j', (body, good) => {
    expect(numbers.setSendGroup.body.safeParse(body).success).toBe(good)
  })

  it.each([
    [{}, false],
    [{ label: 'a' }, true],
    [{ isDefault: true }, true],
    [{ isDefault: false }, false],
  ])('changes something about a number: %j', (body, good) => {
    expect(numbers.update.body.safeParse(body).success).toBe(good)
  })

  it('demands that a profile changes', () => {
    expect(numbers.setProfile.body.safeParse({ containerId: uuid }).success).toBe(false)
    expect(numbers.setProfile.body.safeParse({ about: '' }).success).toBe(true)
  })
})

describe('what a route makes of its input', () => {
  it.each([
    [undefined, 50],
    ['1', 1],
    ['200', 200],
    ['201', 200],
    ['500', 200],
  ])('lists %s chats as %i', (limit, rowsAtMost) => {
    expect(chats.list.query.parse({ limit }).limit).toBe(rowsAtMost)
  })

  it.each(['0', '501', 'all'])('refuses to list %s chats', (limit) => {
    expect(chats.list.query.safeParse({ limit }).error?.issues[0]?.path).toEqual(['limit'])
  })

  it('distinguishes a removed schedule from an unchanged one', () => {
    expect(campaigns.update.body.parse({ scheduledAt: null })).toEqual({ scheduledAt: null })
    expect(campaigns.update.body.parse({})).toEqual({})
    expect(campaigns.update.body.parse({ scheduledAt: '2026-10-01T09:00:00+02:00' })).toEqual({
      scheduledAt: '2026-10-01T07:00:00.000Z',
    })
  })

  it('leaves a reminder alone where a change says nothing', () => {
    expect(reminders.update.body.parse({})).toEqual({})
    expect(reminders.create.body.parse(reminder)).toMatchObject({ repeat: 'none' })
  })

  it('sends with normal priority, skips numbers off the network and creates codes of 6 digits by default', () => {
    expect(alert.send.body.parse({ phone, message: 'm' })).toEqual({
      phone: '12025550100',
      message: 'm',
      priority: 'normal',
    })
    expect(alert.batch.body.parse({ recipients: [phone], message: 'm' })).toMatchObject({
      recipients: [phone],
      skipInvalidNumbers: true,
    })
    expect(otp.send.body.parse({ phone })).toMatchObject({ length: 6 })
  })

  it('reads kinds of event from one text and drops what is said twice', () => {
    expect(events.list.query.parse({ types: 'poll.vote, message.read,poll.vote' })).toEqual({
      types: ['poll.vote', 'message.read'],
      order: 'oldest',
      limit: 100,
    })
  })

  it('keeps stop words in capitals and e-mail addresses in lower case', () => {
    expect(contacts.setOptOutWords.body.parse({ words: [' leave me '] })).toEqual({ words: ['LEAVE ME'] })
    expect(auth.signIn.body.parse({ email: ' A@B.Example ', password: ' p ' })).toEqual({
      email: 'a@b.example',
      password: ' p ',
    })
  })

  it('ignores fields it does not know', () => {
    expect(otp.send.body.parse({ phone, colour: 'red' })).not.toHaveProperty('colour')
  })
})
