import type { Services } from '#services.ts'
import type { WahaClient } from './client.ts'
import type { FileLinks } from './file-links.ts'
import type { Hosts } from './hosts.ts'
import type { SessionCache } from './session-cache.ts'
import type { Repairs } from './watch/repairs.ts'

/** What the parts of the driver work with. */
export interface WahaContext extends Pick<Services, 'db' | 'clock' | 'wake' | 'log' | 'metrics'> {
  readonly client: WahaClient
  readonly hosts: Hosts
  readonly cache: SessionCache
  readonly files: FileLinks
  readonly repairs: Repairs
  /** Where WAHA servers reach this service, like `http://10.0.0.5:3000`. */
  readonly callbackUrl: string
}
