import { GatewayError } from '@msgctl/network/errors'
import { expect, it } from 'vitest'
import { withGatewayTimeout } from './timeout.ts'

it('returns and throws what the driver does in time', async () => {
  expect(await withGatewayTimeout(10_000, Promise.resolve('taken'))).toBe('taken')
  const refusal = new GatewayError('rejected', 'No.')
  await expect(withGatewayTimeout(10_000, Promise.reject(refusal))).rejects.toBe(refusal)
})

it('throws a timeout of unknown outcome when the driver never responds', async () => {
  await expect(withGatewayTimeout(1, new Promise(() => {}))).rejects.toMatchObject({
    kind: 'timeout',
    outcome: 'unknown',
  })
})
