import { limits } from '@msgctl/contract'
import { type Db, preparedRows } from '#platform/db/db.ts'
import type { Scope } from './tool.ts'

/** What AI clients of an organization may do. */
export interface McpSettings {
  readonly enabled: boolean
  readonly sendsPerHour: number
  readonly approve: 'strangers' | 'all'
  readonly keyScopes: Scope[]
}

/** What holds until an organization decides otherwise. */
const defaultSettings: McpSettings = {
  enabled: true,
  sendsPerHour: limits.mcp.sendsPerHour.default,
  approve: 'strangers',
  keyScopes: ['read', 'send', 'manage'],
}

const columns = 'enabled, sends_per_hour, approve, key_scopes'

/** Returns the settings of an organization. */
export async function readSettings(db: Db, organizationId: string): Promise<McpSettings> {
  const [found] = await preparedRows<McpSettings>(
    db,
    `select ${columns} from mcp_settings where organization_id = :organizationId`,
    { organizationId },
  )
  return found ?? defaultSettings
}

/** Writes the settings of an organization. */
export async function writeSettings(trx: Db, organizationId: string, settings: McpSettings): Promise<void> {
  await trx('mcp_settings')
    .insert({
      organizationId,
      enabled: settings.enabled,
      sendsPerHour: settings.sendsPerHour,
      approve: settings.approve,
      keyScopes: settings.keyScopes,
    })
    .onConflict('organizationId')
    .merge()
}
