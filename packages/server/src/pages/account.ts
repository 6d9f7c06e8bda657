import type Koa from 'koa'
import { accountScript } from './account-script.ts'

/** Every address is relative, so that the page also works below a prefix that a proxy takes away. */
const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Your account</title>
    <link rel="icon" href="data:,">
    <style>
      body { font-family: system-ui, sans-serif; line-height: 1.5; max-width: 26rem; margin: 4rem auto; padding: 0 1rem }
      label { display: block; margin: 1rem 0 }
      input { display: block; width: 100%; box-sizing: border-box; padding: .5rem; font: inherit }
      button { padding: .5rem 1rem; font: inherit }
    </style>
  </head>
  <body>
    <main id="page"><noscript>This page needs JavaScript. msgctl takes the link, too: msgctl auth reset, msgctl team join.</noscript></main>
    <script src="account/account.js"></script>
  </body>
</html>
`

/** Nothing is loaded from another host, and no other page can frame this one. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves GET /account, the page that the links in mails open, and its script. */
export function accountPage(): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path === '/account') {
      ctx.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' })
      ctx.type = 'html'
      ctx.body = html
    } else if (ctx.path === '/account/account.js') {
      ctx.set('Cache-Control', 'no-cache')
      ctx.type = 'text/javascript'
      ctx.body = accountScript
    } else {
      await next()
    }
  }
}
