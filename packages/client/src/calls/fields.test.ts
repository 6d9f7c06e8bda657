import { describe, expect, it } from 'vitest'
import { connect } from '../test/connect.ts'
import { json } from '../test/scripted-server.ts'

const reminder = { phone: '+12025550100', message: 'Dear {{name}}', sendAt: '2026-12-31T09:00:00Z' }

describe('a field that the call does not have', () => {
  it.each([
    ['alert.send', { phone: '+1', message: 'hi', prioritty: 'high' }, 'POST /alert/send: prioritty is not a field'],
    [
      'messages.list',
      { statuss: 'failed' },
      'GET /messages: statuss is not a field of this call. It takes: type, status',
    ],
    ['account.me', { id: 'x' }, 'GET /me: id is not a field of this call. It takes: nothing.'],
    ['account.me', { timeoutMs: 1 }, 'GET /me: timeoutMs is an option.'],
  ])('of %s is refused before anything is sent', async (name, input, message) => {
    const { client, server } = await connect({}, json(200, { success: true }))
    const [resource = '', call = ''] = name.split('.')
    const calls = client as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>
    const refused = await calls[resource]?.[call]?.(input).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      name: 'TypeError',
      code: 'INVALID_INPUT',
      message: expect.stringContaining(message),
    })
    expect(server.requests).toHaveLength(0)
  })

  it('of a stream is refused, too, and request takes any field', async () => {
    const { client, server } = await connect({}, json(200, {}))
    expect(() => client.events.stream({ typess: ['message.read'] } as never)).toThrow('typess is not a field')
    await client.request('POST', '/alert/send', { prioritty: 'high' })
    expect(server.requests[0]?.body).toBe('{"prioritty":"high"}')
  })
})

describe('a placeholder without a value', () => {
  it('is refused by the service unless the caller allows it', async () => {
    const { client, server } = await connect({}, json(201, { success: true }))
    await client.reminders.create(reminder)
    await client.reminders.create({ ...reminder, strictVariables: false })
    await client.reminders.create({ ...reminder, strictVariables: undefined })
    await client.campaigns.create({ name: 'n', template: 't', recipients: [{ phone: '+12025550100' }] })
    await client.campaigns.preview({ name: 'n', template: 't', recipients: [{ phone: '+12025550100' }] })
    await client.reminders.update({ id: 'r', label: 'later' })
    await client.campaigns.update({ id: 'c', template: 't' })
    await client.campaigns.update({ id: 'c', recipients: [{ phone: '+12025550100' }] })
    await client.campaigns.update({ id: 'c', name: 'n' })
    const sent = server.requests.map(({ body }) => JSON.parse(body).strictVariables)
    expect(sent).toEqual([true, false, true, true, undefined, undefined, true, true, undefined])
  })
})
