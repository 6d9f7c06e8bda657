import type Koa from 'koa'
import { accountScript } from './account-script.ts'
import { servePage } from './page.ts'

/** Serves GET /account, the page that the links in mails open, and its script. */
export function accountPage(): Koa.Middleware {
  return servePage({
    path: '/account',
    title: 'Your account',
    withoutScript: 'This page needs JavaScript. msgctl takes the link, too: msgctl auth reset, msgctl team join.',
    script: accountScript,
  })
}
