import { hasDeletedOrganizations } from '#people/organizations/deletion-store.ts'
import { hasMovedOrganizations, hasUnclosedOrganizations } from '#people/organizations/move-store.ts'
import type { PeriodicJob } from '#platform/periodic-jobs.ts'
import { eraseDeleted } from './erasure/erase.ts'
import { eraseMoved } from './erasure/erase-moved.ts'
import { closeMoving } from './move/close-numbers.ts'

/** The periodic jobs of deleted and moved organizations. */
export const upkeepJobs: readonly PeriodicJob[] = [
  {
    name: 'organizations.erase',
    everySeconds: 60,
    on: 'deletions',
    hasWork: hasDeletedOrganizations,
    items: 'erasures',
    run: eraseDeleted,
  },
  {
    name: 'organizations.erase-moved',
    everySeconds: 600,
    hasWork: hasMovedOrganizations,
    items: 'erasures',
    run: eraseMoved,
  },
  {
    name: 'organizations.close',
    everySeconds: 15,
    hasWork: hasUnclosedOrganizations,
    items: 'moves',
    run: closeMoving,
  },
]
