/** Returns the token of a link like https://example.com/account#reset=TOKEN; another text is the token itself. */
export function tokenFrom(link: string): string {
  const fragment = link.includes('#') ? link.slice(link.indexOf('#') + 1) : link
  return fragment.replace(/^(?:join|reset|verify)=/, '')
}
