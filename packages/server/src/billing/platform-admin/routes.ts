import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { listActivity } from './activity.ts'
import { activate, deactivate, refresh, setAllowance, setProducts, setTrial } from './changes.ts'
import { readFigures } from './figures.ts'
import { listOrganizations, showOrganization } from './read.ts'

/** The handlers of /admin: only people of an organization that administers the platform reach them. */
export const platformHandlers = {
  organizations: listOrganizations,
  organization: showOrganization,
  setProducts,
  setTrial,
  setAllowance,
  deactivate,
  activate,
  refresh,
  billing: readFigures,
  activity: listActivity,
} satisfies Handlers<Contract['platform']>
