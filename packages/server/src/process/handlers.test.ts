import { contract } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { handlers } from './handlers.ts'

const promised = Object.entries(contract).flatMap(([resource, routes]) =>
  Object.keys(routes).map((name) => `${resource}.${name}`),
)
const present = Object.entries(handlers).flatMap(([resource, own]) =>
  Object.keys(own).map((name) => `${resource}.${name}`),
)

describe('the list of handlers', () => {
  it('has every endpoint of the contract once', () => {
    expect(present.sort()).toEqual(promised.sort())
  })
})
