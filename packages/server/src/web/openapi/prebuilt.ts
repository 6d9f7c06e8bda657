import { openApiDocument } from '@msgctl/contract/openapi'
import { buildSite, type SiteFile } from './site/site.ts'

/**
 * The document and the pages of the documentation. This module makes them when they are requested first; the bundle has
 * them as data in its place (scripts/bundle.mjs), because making them keeps a process busy for more than a second.
 */

/** Returns the OpenAPI document. */
export function makeDocument(): Record<string, unknown> {
  return { ...openApiDocument() }
}

/** Returns every file of the documentation by its path. */
export function makeSite(): ReadonlyMap<string, SiteFile> {
  return buildSite()
}
