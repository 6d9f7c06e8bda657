import { actionRoutes } from './actions.ts'
import { callRoutes } from './calls.ts'
import { connectionRoutes } from './connections.ts'

type Mcp = typeof connectionRoutes & typeof actionRoutes & typeof callRoutes

/** AI clients of the organization: what waits for a person, what they called, and what they may do. */
export const mcp: Mcp = { ...connectionRoutes, ...actionRoutes, ...callRoutes }
