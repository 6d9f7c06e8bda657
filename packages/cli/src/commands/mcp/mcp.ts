import type { Command } from 'commander'
import type { Run } from '../../program.ts'
import { registerActions } from './actions.ts'
import { registerCalls } from './calls.ts'
import { registerConfig } from './config.ts'
import { registerConnections } from './connections.ts'
import { registerSettings } from './settings.ts'
import { registerTools } from './tools.ts'

export function register(mcp: Command, run: Run): void {
  registerConfig(mcp, run)
  registerTools(mcp, run)
  registerConnections(mcp, run)
  registerActions(mcp, run)
  registerCalls(mcp, run)
  registerSettings(mcp, run)
}
