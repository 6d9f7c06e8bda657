import { describe, expect, it } from 'vitest'
import { locate } from './address.ts'

describe('locate', () => {
  it.each([
    ['GET /messages', {}, { method: 'GET', path: '/messages', body: undefined }],
    [
      'GET /messages',
      { limit: 5, status: 'failed' },
      { method: 'GET', path: '/messages?limit=5&status=failed', body: undefined },
    ],
    [
      'GET /messages',
      { search: 'a&b c', page: undefined, type: null },
      { method: 'GET', path: '/messages?search=a%26b+c', body: undefined },
    ],
    ['GET /events', { types: ['a', 'b'] }, { method: 'GET', path: '/events?types=a%2Cb', body: undefined }],
    ['GET /messages?limit=5', { page: 2 }, { method: 'GET', path: '/messages?limit=5&page=2', body: undefined }],
    [
      'GET /chats/:phone',
      { phone: '+1 202/5?#@lid', limit: 1 },
      { method: 'GET', path: '/chats/%2B1%20202%2F5%3F%23%40lid?limit=1', body: undefined },
    ],
    [
      'POST /otp/send',
      { phone: '+1', length: 6 },
      { method: 'POST', path: '/otp/send', body: '{"phone":"+1","length":6}' },
    ],
    ['POST /session/start', {}, { method: 'POST', path: '/session/start', body: '{}' }],
    ['PUT /reminders/:id', { id: 'r', label: null }, { method: 'PUT', path: '/reminders/r', body: '{"label":null}' }],
    ['DELETE /reminders/:id', { id: 'r' }, { method: 'DELETE', path: '/reminders/r', body: undefined }],
    [
      'POST /alert/messages/:messageId/forward',
      { messageId: 'm', phone: '+1' },
      { method: 'POST', path: '/alert/messages/m/forward', body: '{"phone":"+1"}' },
    ],
  ])('%s with %j', (endpoint, input, located) => {
    expect(locate(endpoint, input)).toEqual(located)
  })

  it.each([[undefined], [null], [''], ['.'], ['..'], [{}], [['a']]])(
    'refuses %j as a path parameter, which would reach another route',
    (id) => {
      const refused = () => locate('GET /messages/:id', { id })
      expect(refused).toThrow(/^GET \/messages\/:id: id /)
      expect(refused).toThrow(expect.objectContaining({ name: 'TypeError', code: 'INVALID_INPUT' }))
    },
  )
})
