import { expect, it } from 'vitest'
import { startService } from '../../testing/service.ts'

const makeWorkspace = await startService()

it('says what it took for a local time that the clocks skip, in every format', async () => {
  const { run } = await makeWorkspace()
  const words = ['reminders', 'create', '+12025550100', 'Early', '--at', '2099-03-08 02:30']
  const { stdout, stderr } = await run([...words, '--time-zone', 'America/New_York', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ sendAt: '2099-03-08T07:30:00.000Z' })
  expect(stderr).toBe(
    'The clocks of America/New_York skip 2099-03-08 02:30. This is taken as 2099-03-08 03:30, 2099-03-08T07:30:00Z.\n',
  )
})
