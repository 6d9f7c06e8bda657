import { describe, expect, it } from 'vitest'
import { feedFrom } from './feed.ts'
import type { LoggedRow } from './log-store.ts'

function event(position: number): LoggedRow {
  return { position, id: `${position}`, event: 'session.recovered', data: {}, happenedAt: new Date(0) }
}

function events(from: number, to: number): LoggedRow[] {
  return Array.from({ length: to - from + 1 }, (_, at) => event(from + at))
}

const positions = (rows: readonly LoggedRow[]) => rows.map(({ position }) => position)

describe('the feed of one stream', () => {
  it('hands out what was pushed once, in order, with the position where it ends', () => {
    const feed = feedFrom(10)
    feed.push(events(11, 12), 12)
    feed.push(events(13, 13), 13)
    expect(feed.startsAfter()).toBe(10)
    const taken = feed.take()
    expect([positions(taken.events), taken.position]).toEqual([[11, 12, 13], 13])
    expect([feed.startsAfter(), feed.take().events]).toEqual([13, []])
  })

  it('drops what a slow reader has not read, and returns the position from which to read the log', () => {
    const feed = feedFrom(0)
    feed.push(events(1, 600), 600)
    feed.push(events(601, 1200), 1200)
    feed.push(events(1201, 1201), 1201)
    expect(feed.startsAfter()).toBe(1200)
    expect(positions(feed.take().events)).toEqual([1201])
  })

  it('ends a wait at a change, and does not wait when one came before', async () => {
    const feed = feedFrom(0)
    feed.beat()
    await feed.changed()
    expect([feed.takeBeat(), feed.takeBeat()]).toEqual([true, false])
    const waiting = feed.changed()
    feed.end()
    await waiting
    expect(feed.ended).toBe(true)
  })
})
