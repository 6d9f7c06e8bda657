/** Returns the page where a person decides whether an AI client may connect. */
export function consentPageUrl(origin: string, requestId: string): string {
  return `${origin}/connect#request=${requestId}`
}

/** Returns the page where a person decides about what an AI client wants to do. */
export function approvalPageUrl(origin: string, actionId: string): string {
  return `${origin}/approve#action=${actionId}`
}
