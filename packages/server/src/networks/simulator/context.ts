import type { Services } from '#services.ts'

/** What the simulated network works with. It needs nothing else, so routes and tests can reach it without a gateway. */
export type SimContext = Pick<Services, 'db' | 'clock' | 'wake' | 'log' | 'config' | 'secrets'>
