import type { Services } from '#services.ts'

/** What the simulated payment provider works with. */
export interface PaySim extends Pick<Services, 'db' | 'clock' | 'log' | 'wake'> {
  /** What events are signed with. */
  readonly webhookSecret: string
  /** Per cent of tax by country. */
  readonly tax: Readonly<Record<string, number>>
  /** Where the pages are, without a slash at the end. */
  readonly pages: string
}
