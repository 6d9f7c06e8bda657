/** The anchor of an operation on its page: `send` for `alert.send`. */
export const anchorOf = (operationId: string): string => operationId.split('.')[1] ?? operationId

/** Addresses below the root of the site, without a slash in front. */
export const pathTo = {
  overview: 'docs',
  guide: (slug: string): string => `docs/guides/${slug}`,
  resource: (name: string): string => `docs/api/${name}`,
  operation: (id: string): string => `docs/api/${id.split('.')[0]}#${anchorOf(id)}`,
  schema: (page: string, name: string): string => `${page}#${name}`,
  events: 'docs/events',
  event: (kind: string): string => `docs/events#${kind}`,
  errors: 'docs/errors',
  error: (code: string): string => `docs/errors#${code}`,
} as const
