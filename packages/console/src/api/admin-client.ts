import { AdminClient } from '@msgctl/client/admin'
import { clientOptions } from './client.ts'

/** The client for people and their organizations. Only pages that are loaded on demand import it. */
export const admin = new AdminClient(clientOptions)
