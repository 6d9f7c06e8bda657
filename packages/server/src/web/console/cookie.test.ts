import { describe, expect, it } from 'vitest'
import { ApiError } from '#platform/errors.ts'
import { readConfig } from '#process/config.ts'
import { requireSafeConnection } from './cookie.ts'

const production = { NODE_ENV: 'production', GATEWAY: 'direct', DATABASE_URL: 'postgres://u:p@db:5432/x' }

function isAllowed(origin: string, env: Record<string, string> = production): boolean {
  try {
    requireSafeConnection(readConfig(env), origin)
    return true
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ code: 'FORBIDDEN_ACTION', details: { reason: 'not_encrypted' } })
    return false
  }
}

describe('a sign-in at the console', () => {
  it.each([
    ['https://console.example.com', true],
    ['http://127.0.0.1:3000', true],
    ['http://127.8.9.10:3000', true],
    ['http://localhost:3000', true],
    ['http://[::1]:3000', true],
    ['http://10.0.0.5:3000', false],
    ['http://console.example.com', false],
    ['http://localhost.example.com', false],
    ['http://127.0.0.1.example.com', false],
    ['', false],
    ['null', false],
  ])('from a page of %j in production is allowed: %s', (origin, allowed) => {
    expect(isAllowed(origin)).toBe(allowed)
    expect(isAllowed(origin, { ...production, CONSOLE_INSECURE: '1' })).toBe(true)
    expect(isAllowed(origin, {})).toBe(true)
  })
})
