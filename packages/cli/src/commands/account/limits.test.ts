import { describe, expect, it } from 'vitest'
import { startService } from '../../testing/service.ts'

const makeWorkspace = await startService()

describe('msgctl limits', () => {
  it('explains that the key of a number cannot read the limits, without calling the service', async () => {
    const { run, seen, baseUrl } = await makeWorkspace()
    const { stdout: key } = await run('keys generate --number Demo --yes --output plain --fields apiKey')
    const before = seen.length
    const env = { MSG_API_KEY: key.trim(), MSG_BASE_URL: baseUrl }
    const { exitCode, stdout, stderr } = await run('limits', { env })
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' })
    expect(stderr).toBe(
      'Error: The key of a number cannot read the limits: they belong to the organization.\n' +
        'What to do: Use the account key, or sign in with msgctl login --email you@example.com.\n' +
        '(NUMBER_KEY_SCOPE)\n',
    )
    expect(seen.slice(before)).toEqual([])
  })
})
