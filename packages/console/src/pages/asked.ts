import { type LinkFragment, takeFragment } from '../session/fragment.ts'

/** What a link asks a person: about an AI client or an action of one by its id, or what the link of a mail carries. */
export type Asked =
  | { readonly page: 'connect' | 'approve'; readonly id: string }
  | { readonly page: 'account'; readonly link: LinkFragment }

/** Returns the id that a fragment such as `#request=0195…` names; undefined for another one. */
function idIn(hash: string, name: string): string | undefined {
  const [, found, id] = /^#(\w+)=([0-9a-f-]{36})$/.exec(hash) ?? []
  return found === name ? id : undefined
}

/** Returns what the address of this page asks; null where it is not complete. Tokens are taken out of the address. */
export function readAsked(): Asked | null {
  const page = location.pathname.split('/').at(-1)
  if (page === 'account') {
    const link = takeFragment()
    return link && { page, link }
  }
  if (page !== 'connect' && page !== 'approve') return null
  const id = idIn(location.hash, page === 'connect' ? 'request' : 'action')
  return id === undefined ? null : { page, id }
}
