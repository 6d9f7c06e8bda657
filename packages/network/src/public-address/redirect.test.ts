import { describe, expect, it } from 'vitest'
import { PublicFetchError } from './failure.ts'
import { redirectTarget } from './redirect.ts'

const from = new URL('https://example.com/a/b')

function reasonFor(location: string): string | undefined {
  try {
    redirectTarget(from, location, [])
    return undefined
  } catch (error) {
    return error instanceof PublicFetchError ? error.reason : 'another error'
  }
}

describe('following a redirect', () => {
  it.each([
    ['c', 'https://example.com/a/c'],
    ['/c', 'https://example.com/c'],
    ['//cdn.example.com/c', 'https://cdn.example.com/c'],
    ['https://cdn.example.com/', 'https://cdn.example.com/'],
  ])('leads to %s as %s', (location, target) => {
    expect(redirectTarget(from, location, []).href).toBe(target)
  })

  it('may go from http to https', () => {
    expect(redirectTarget(new URL('http://example.com/'), 'https://example.com/', []).protocol).toBe('https:')
  })

  it.each([
    ['http://example.com/', 'redirects'],
    ['https://[', 'redirects'],
    ['https://127.0.0.1/', 'refused'],
    ['https://169.254.169.254/latest', 'refused'],
    ['//localhost/', 'refused'],
    ['file:///etc/passwd', 'refused'],
    ['ftp://example.com/', 'refused'],
    ['data:text/plain,x', 'refused'],
    ['https://user:pw@example.com/', 'refused'],
  ])('refuses %s (%s)', (location, reason) => {
    expect(reasonFor(location)).toBe(reason)
  })
})
