import { eventKinds, events } from '@msgctl/contract'
import { expect, it } from 'vitest'
import { sampleData } from './sample.ts'

it.each(eventKinds)('has a sample of %s that the contract allows, with nothing beside it', (kind) => {
  const data = sampleData(kind, new Date('2026-03-01T12:00:00.000Z'))
  expect(events[kind].data.parse(data)).toEqual(data)
})
