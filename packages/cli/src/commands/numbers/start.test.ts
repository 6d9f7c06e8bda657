import { expect, it } from 'vitest'
import { startService } from '../../testing/service.ts'

const makeWorkspace = await startService()

it('a number that runs already is not shown as starting', async () => {
  const { run } = await makeWorkspace()
  const message = 'The number is connected already. There is nothing to do.'
  expect((await run('numbers start')).stdout).toMatch(new RegExp(`^Message\\s+${message}\n$`))
  expect(JSON.parse((await run('numbers start --json')).stdout)).toMatchObject({ status: 'starting', message })
})
