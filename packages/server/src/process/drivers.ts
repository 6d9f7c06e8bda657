import type { Driver } from '@msgctl/network/gateway'
import { isDriverUsed } from '#numbers/records/store.ts'
import type { Services } from '#services.ts'

/** What a driver works with. */
export type DriverContext = Pick<Services, 'db' | 'clock' | 'wake' | 'secrets' | 'log' | 'metrics' | 'config'>

/** Opens a driver. It must cost next to nothing while no number uses it: every process opens all of them. */
type OpenDriver = (ctx: DriverContext) => Promise<Driver>

/** Every driver of this service, by the name that GATEWAY and numbers.gateway have. */
const drivers = {
  simulator: async (ctx) => (await import('#networks/simulator/simulator.ts')).simulator(ctx),
  direct: async (ctx) => (await import('#networks/gateway/direct/driver.ts')).direct(ctx),
  waha: async (ctx) => (await import('#networks/gateway/waha/driver.ts')).waha(ctx),
} as const satisfies Readonly<Record<string, OpenDriver>>

export type DriverName = keyof typeof drivers

/** The names of all drivers. */
export const driverNames = Object.keys(drivers) as [DriverName, ...DriverName[]]

/**
 * Opens the drivers. Those of real networks are always open, so that numbers of every network can be served. The
 * simulator is open only where GATEWAY names it or a number uses it: with a real network it would simulate a second
 * one.
 */
export async function openDrivers(ctx: DriverContext): Promise<Driver[]> {
  const isSimulated = ctx.config.gateway === 'simulator' || (await isDriverUsed(ctx.db, 'simulator'))
  const opened = driverNames.filter((name) => name !== 'simulator' || isSimulated)
  return Promise.all(opened.map((name) => (drivers[name] satisfies OpenDriver)(ctx)))
}
