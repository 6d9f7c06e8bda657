import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { updateConfig } from '../config/config-file.ts'
import { testMachine } from '../testing/machine.ts'
import { scriptedServer } from '../testing/scripted-server.ts'

describe('the time a call may take', () => {
  it('is the one that is set, above 90 seconds too, and for each attempt', async () => {
    const { origin, seen } = await scriptedServer({ 'GET /api/v1/me': () => ({ events: [] }) })
    const machine = testMachine()
    updateConfig(machine.world(), (config) => ({ ...config, settings: { timeout: 100 } }))
    const env = { MSG_API_KEY: 'msk_test_key', MSG_BASE_URL: `${origin}/api/v1` }
    const stop = new AbortController()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const running = machine.run(['account', 'me', '--json'], { env, signal: stop.signal })
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    await vi.advanceTimersByTimeAsync(95_000)
    expect(seen).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(5_000)
    await vi.waitFor(() => expect(seen).toHaveLength(2))
    stop.abort()
    expect((await running).exitCode).toBe(130)
  })
})
