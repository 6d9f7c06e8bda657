/** The people, links and sessions of the examples about accounts and teams. */
const id = (tail: string) => `0190b1a1-0c2d-7b3e-8f44-5a6b7c8d${tail}`

export const member = { id: id('a001'), name: 'John Roe', email: 'john@example.com' }
export const invitation = {
  id: id('a002'),
  email: member.email,
  role: 'member' as const,
  createdAt: '2030-01-01T09:00:00.000Z',
  expiresAt: '2030-01-08T09:00:00.000Z',
}
export const secondOrganization = { id: id('a003'), name: 'Example Outlet' }
export const sessionId = id('a004')
export const actionId = id('a005')
export const requestId = id('a007')
export const connectionId = id('a006')
export const linkToken = 'nYk3yqkS0dKc1cGmQmM8w7x5l2m6P1mJ6m0m6m1Jr9E'
export const challenge = 'b7Qw2nEr5tYu8iOp1aSd4fGh7jKl0zXc3vBn6mQw9eR'
export const recoveryCodes = Array.from({ length: 10 }, (_, n) => `abcd-efgh-ijkl-mn${'abcdefghij'[n]}2`)
export const warning = 'Store these codes now, apart from your password. Each works once, and they are not shown again.'
