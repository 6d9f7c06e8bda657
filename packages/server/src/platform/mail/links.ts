import type { Services } from '#services.ts'

/** The purposes of a link in a mail; the page shows the form for it. */
export type LinkPurpose = 'join' | 'reset' | 'verify'

/**
 * Returns the address of a link. The token stands in the fragment, which browsers send to no server, so no log and no
 * Referer header can hold it.
 */
export function accountLink({ links }: Pick<Services['config'], 'links'>, purpose: LinkPurpose, token: string): string {
  return `${links.dashboardUrl ?? `${links.publicUrl}/account`}#${purpose}=${token}`
}
