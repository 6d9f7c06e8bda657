import { describe, expect, it } from 'vitest'
import {
  drop,
  type Environment,
  type Link,
  pair,
  restart,
  type SettledLink,
  scan,
  settle,
  start,
  stop,
  unlink,
  unlinked,
} from './machine.ts'

const beginMs = Date.UTC(2026, 0, 1)
const secondMs = 1000

/** A world in which the time passes by hand, and a link in it. */
function life(options: Partial<Environment> = {}) {
  let codes = 0
  let nowMs = beginMs
  let link: Link = unlinked
  const reported: string[] = []
  const world = (): Environment => ({
    speed: 1,
    autolink: false,
    ownPhone: '12025551234',
    newQr: () => `sim:${++codes}`,
    ...options,
    nowMs,
  })
  const take = ({ link: next, changes }: SettledLink) => {
    link = next
    reported.push(
      ...changes.map((change) => `${change.link.status}${change.link.reason ? ` ${change.link.reason}` : ''}`),
    )
  }
  return {
    reported,
    get link() {
      return link
    },
    do(change: (link: Link, host: Environment) => SettledLink) {
      take(settle(link, world()))
      take(change(link, world()))
    },
    pass(seconds: number) {
      nowMs += seconds * secondMs
      take(settle(link, world()))
    },
    /** A link that works with this phone. */
    linkWith(phone: string) {
      this.do(start)
      this.pass(1)
      this.do((one, now) => scan(one, phone, now))
      this.pass(0.8)
      reported.length = 0
      return this
    },
  }
}

describe('linking', () => {
  it('goes from STARTING over a scan to WORKING', () => {
    const one = life()
    one.do(start)
    one.pass(1)
    expect(one.link.qr).toMatchObject({ round: 1, text: 'sim:1' })
    one.do((link, world) => scan(link, '12025551111', world))
    one.pass(1)
    expect(one.reported).toEqual(['STARTING', 'SCAN_QR_CODE', 'STARTING', 'WORKING'])
    expect(one.link).toMatchObject({ phone: '12025551111', qr: null, timers: [] })
  })

  it('shows six codes of a minute each, and then gives up', () => {
    const one = life()
    one.do(start)
    one.pass(0.5)
    const codes = new Set<string | undefined>()
    for (let minute = 0; minute < 6; minute++) {
      codes.add(one.link.qr?.text)
      expect(one.link.status).toBe('SCAN_QR_CODE')
      one.pass(60)
    }
    expect(codes.size).toBe(6)
    expect(one.reported).toEqual(['STARTING', 'SCAN_QR_CODE', 'FAILED qr_expired'])
    expect(one.link.qr).toBeNull()
  })

  it.each([0, 1, 60])('lets a code live a whole minute at speed %s', (speed) => {
    const one = life({ speed })
    one.do(start)
    one.pass(1)
    one.pass(58)
    expect(one.link.qr?.round).toBe(1)
    one.pass(2)
    expect(one.link.qr?.round).toBe(2)
  })

  it('scans by itself where that is set, with the phone of the number', () => {
    const one = life({ autolink: true, speed: 0 })
    one.do(start)
    expect(one.reported).toEqual(['STARTING', 'SCAN_QR_CODE', 'STARTING', 'WORKING'])
    expect(one.link.phone).toBe('12025551234')
  })

  it('pairs by a code that is typed a little later', () => {
    const one = life()
    one.do(start)
    one.pass(1)
    one.do((link, world) => pair(link, '12025551111', world))
    one.pass(2.9)
    expect(one.link.status).toBe('SCAN_QR_CODE')
    one.pass(1)
    expect(one.link).toMatchObject({ status: 'WORKING', phone: '12025551111' })
  })

  it('still accepts the typed code after the QR code has changed', () => {
    const one = life()
    one.do(start)
    one.pass(59.5)
    one.do((link, world) => pair(link, '12025551111', world))
    one.pass(1.5)
    expect(one.link.qr?.round).toBe(2)
    one.pass(3)
    expect(one.link.status).toBe('WORKING')
  })

  it('is never done by the phone 0192, neither by a scan nor by a code', () => {
    const one = life()
    one.do(start)
    one.pass(1)
    one.do((link, world) => scan(link, '12025550192', world))
    one.do((link, world) => pair(link, '12025550192', world))
    one.pass(10)
    expect(one.link).toMatchObject({ status: 'SCAN_QR_CODE', phone: null })
    one.pass(360)
    expect(one.link).toMatchObject({ status: 'FAILED', reason: 'qr_expired' })
  })

  it('ignores a scan in any status but SCAN_QR_CODE', () => {
    const one = life()
    one.do((link, world) => scan(link, '12025551111', world))
    expect(one.link).toEqual(unlinked)
  })
})

describe('a link that works', () => {
  it('comes back without a scan after stop and start', () => {
    const one = life().linkWith('12025551111')
    one.do(stop)
    one.do(start)
    one.pass(1)
    expect(one.reported).toEqual(['STOPPED', 'STARTING', 'WORKING'])
  })

  it('stays as it is when it is started once more', () => {
    const one = life().linkWith('12025551111')
    one.do(start)
    expect(one.reported).toEqual([])
  })

  it('requests a scan when the phone ends it, and does not scan by itself then', () => {
    const one = life({ autolink: true }).linkWith('12025551111')
    one.do(unlink)
    one.pass(30)
    expect(one.reported).toEqual(['SCAN_QR_CODE logged_out'])
    expect(one.link.phone).toBeNull()
  })

  it('is forgotten without a scan when it is ended while it is stopped', () => {
    const one = life().linkWith('12025551111')
    one.do(stop)
    one.do(unlink)
    expect(one.link).toMatchObject({ status: 'STOPPED', phone: null })
  })

  it('comes back by itself when its line was cut, and no sooner by a restart', () => {
    const one = life().linkWith('12025551111')
    one.do((link, world) => drop(link, 60_000, world))
    one.pass(10)
    one.do((link, world) => restart(link, world))
    one.pass(49)
    expect(one.link.status).toBe('STARTING')
    one.pass(1)
    expect(one.link.status).toBe('WORKING')
    expect(one.reported).toEqual(['STARTING connection_lost', 'WORKING'])
  })
})

describe('the phones that have mishaps', () => {
  it('0190 loses the line after 30 s and has it back a minute later, once', () => {
    const one = life().linkWith('12025550190')
    one.pass(29)
    expect(one.reported).toEqual([])
    one.pass(1)
    expect(one.reported).toEqual(['STARTING connection_lost'])
    one.pass(60)
    one.pass(3600)
    expect(one.reported).toEqual(['STARTING connection_lost', 'WORKING'])
  })

  it('0191 logs the number out after 30 s', () => {
    const one = life().linkWith('12025550191')
    one.pass(30)
    expect(one.reported).toEqual(['SCAN_QR_CODE logged_out'])
  })

  it('0194 flaps: up 15 s, down 5 s, for ever', () => {
    const one = life().linkWith('12025550194')
    one.pass(60)
    expect(one.reported).toEqual(Array.from({ length: 3 }, () => ['STARTING connection_lost', 'WORKING']).flat())
    one.do(stop)
    one.do(start)
    one.pass(16)
    expect(one.reported.at(-1)).toBe('STARTING connection_lost')
  })

  it.each([
    [60, 0.5],
    [1, 30],
    [0, 30],
  ])('at speed %s it happens after %s s', (speed, seconds) => {
    const one = life({ speed })
    one.do(start)
    one.pass(1)
    one.do((link, world) => scan(link, '12025550191', world))
    one.pass(speed === 0 ? 0 : 0.8 / speed)
    one.pass(seconds - 0.1)
    expect(one.link.status).toBe('WORKING')
    one.pass(0.1)
    expect(one.link.status).toBe('SCAN_QR_CODE')
  })
})
