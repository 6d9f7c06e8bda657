import { contract } from '@msgctl/contract'
import { describe, expect, it } from 'vitest'
import { handlers, pending } from './handlers.ts'

const promised = Object.entries(contract).flatMap(([resource, routes]) =>
  Object.keys(routes).map((name) => `${resource}.${name}`),
)
const present = Object.entries(handlers).flatMap(([resource, own]) =>
  Object.keys(own).map((name) => `${resource}.${name}`),
)

describe('the list of handlers', () => {
  it('has every endpoint of the contract once: as a handler, or as pending', () => {
    expect([...present, ...pending].sort()).toEqual([...promised].sort())
  })
})
