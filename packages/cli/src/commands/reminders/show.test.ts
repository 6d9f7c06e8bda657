import { expect, it } from 'vitest'
import { startService } from '../../testing/service.ts'

const makeWorkspace = await startService()

it('reads the one reminder with one request, and names the list where there is none', async () => {
  const { run, seen } = await makeWorkspace()
  const created = await run(['reminders', 'create', '+12025550100', 'Breakfast', '--at', '2099-01-15T09:00Z', '--json'])
  const reminder = JSON.parse(created.stdout) as { readonly id: string }
  seen.length = 0
  const shown = await run(['reminders', 'show', reminder.id, '--json'])
  expect(JSON.parse(shown.stdout)).toEqual(reminder)
  expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET /api/v1/reminders/${reminder.id}`])
  const missing = await run(['reminders', 'show', '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'])
  expect(missing.exitCode).toBe(3)
  expect(missing.stderr).toContain('There is no such reminder.')
  expect(missing.stderr).toContain('List the reminders with: msgctl reminders list')
})
