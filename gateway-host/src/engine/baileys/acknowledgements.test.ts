import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { ConnectionLost, NoResponse, Refused } from '../failures.ts'
import { Acknowledgements } from './acknowledgements.ts'

const ack = (attrs: Record<string, string>) => ({ tag: 'ack', attrs })

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

it('ends the earlier wait for an id, and the later one at its own time', async () => {
  const acknowledgements = new Acknowledgements()
  const first = expect(acknowledgements.waitFor('ID', 1000).acknowledged).rejects.toThrow(NoResponse)
  vi.advanceTimersByTime(500)
  const second = acknowledgements.waitFor('ID', 1000).acknowledged
  await first
  vi.advanceTimersByTime(900)
  acknowledgements.handle(ack({ id: 'ID' }))
  await second
})

it('ends a cancelled wait with the error, and not the one that follows it', async () => {
  const acknowledgements = new Acknowledgements()
  const first = acknowledgements.waitFor('ID', 1000)
  first.cancel(new ConnectionLost())
  await expect(first.acknowledged).rejects.toThrow(ConnectionLost)
  const second = acknowledgements.waitFor('ID', 1000)
  first.cancel(new ConnectionLost())
  acknowledgements.handle(ack({ id: 'ID', error: '463' }))
  await expect(second.acknowledged).rejects.toThrow(Refused)
  expect(vi.getTimerCount()).toBe(0)
})

it('ends every wait with the connection', async () => {
  const acknowledgements = new Acknowledgements()
  const open = expect(acknowledgements.waitFor('ID', 1000).acknowledged).rejects.toThrow(ConnectionLost)
  acknowledgements.close()
  await open
  await expect(acknowledgements.waitFor('ID', 1000).acknowledged).rejects.toThrow(ConnectionLost)
})
