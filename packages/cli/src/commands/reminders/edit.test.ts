import { expect, it } from 'vitest'
import { startService } from '../../testing/service.ts'

const makeWorkspace = await startService()

it('takes a local time in the time zone of the reminder, and in another one that is named', async () => {
  const { run } = await makeWorkspace()
  const at = ['--at', '2099-01-15 09:00', '--time-zone', 'America/New_York', '--repeat', 'daily']
  const created = await run(['reminders', 'create', '+12025550100', 'Breakfast', ...at, '--json'])
  const { id } = JSON.parse(created.stdout) as { id: string }
  const edit = async (...words: string[]) => {
    const { stdout } = await run(['reminders', 'edit', id, ...words, '--json'])
    return (JSON.parse(stdout) as { sendAt: string }).sendAt
  }
  expect(await edit('--at', '2099-01-15 10:00')).toBe('2099-01-15T15:00:00.000Z')
  expect(await edit('--at', '2099-01-15 10:00', '--time-zone', 'Europe/Berlin')).toBe('2099-01-15T09:00:00.000Z')
  expect(await edit('--at', '2099-01-15T10:00:00Z')).toBe('2099-01-15T10:00:00.000Z')
})
