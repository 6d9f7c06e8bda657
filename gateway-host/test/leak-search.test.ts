import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { describe, expect, it } from 'vitest'
import { pack } from '../src/vault/key-kinds.ts'
import { retiredKinds } from '../src/vault/retirement.ts'
import { seal } from '../src/vault/sealing.ts'
import { findLeaks } from './leak-search.ts'

const secretsKeys = newSecretsKeys()
const containerId = '01a20000-0000-7000-8000-000000000001'
const [numberKey, privateKey, retiredKey] = [randomBytes(32), randomBytes(32), randomBytes(32)]
const sealedKey = openSecrets(secretsKeys).encrypt(
  numberKey.toString('base64'),
  `gateway_sessions:sealed_key:${containerId}`,
)
const evidence = {
  secretsKeys,
  keys: [
    { containerId, kind: -2, id: 'sealed_key', value: Buffer.from(sealedKey).toString('base64') },
    {
      containerId,
      kind: 1,
      id: '7',
      value: seal(numberKey, `${containerId}/1/7`, pack({ private: privateKey })).toString('base64'),
    },
    {
      containerId,
      kind: retiredKinds + 1,
      id: '8',
      value: seal(numberKey, `${containerId}/1/8`, pack({ private: retiredKey })).toString('base64'),
    },
  ],
  texts: ['Your table is ready', 'ok'],
}
const before = '{"level":"info","event":"listening","address":"http://127.0.0.1:1"}\n'

describe('the search for leaks', () => {
  it('finds nothing in the output of a host', () => {
    expect(findLeaks(before, evidence)).toEqual({ keys: 3, texts: 1, leaks: [] })
  })

  it.each([
    ['a key that was stored, as base64', privateKey.toString('base64')],
    ['the key of a number, as hex', numberKey.toString('hex')],
    ['a key of a retired link', retiredKey.toString('base64')],
    ['a key as the console shows it', inspect({ key: privateKey })],
    ['a key as decimals', JSON.stringify(privateKey)],
    ['a text', 'failed to send "your table is ready"'],
  ])('finds %s', (_, leaked) => {
    expect(findLeaks(`${before}${leaked}\n`, evidence).leaks).toHaveLength(1)
  })
})
