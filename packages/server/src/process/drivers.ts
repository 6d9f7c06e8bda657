import type { Driver } from '../gateway/gateway.ts'
import type { Services } from '../services.ts'

/** What a driver works with. */
export type DriverContext = Pick<Services, 'db' | 'clock' | 'wake' | 'secrets' | 'log' | 'metrics' | 'config'>

/** Opens a driver. It must cost next to nothing while no number uses it: every process opens all of them. */
type OpenDriver = (ctx: DriverContext) => Promise<Driver>

/** Every driver of this service, by the name that GATEWAY and numbers.gateway have. */
export const drivers = {
  simulator: async (ctx) => (await import('../simulator/simulator.ts')).simulator(ctx),
  direct: async (ctx) => (await import('../gateway/direct/driver.ts')).direct(ctx),
} as const satisfies Readonly<Record<string, OpenDriver>>

export type DriverName = keyof typeof drivers

/** The names of all drivers. */
export const driverNames = Object.keys(drivers) as [DriverName, ...DriverName[]]

/** Opens all drivers. */
export function openDrivers(ctx: DriverContext): Promise<Driver[]> {
  return Promise.all(Object.values(drivers).map((open: OpenDriver) => open(ctx)))
}
