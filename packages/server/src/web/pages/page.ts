import type Koa from 'koa'

/** A page for people that works alone: a title, one script, and what it says without scripts. */
export interface Page {
  /** Like `/account`; its script is at `/account/account.js`. */
  readonly path: string
  readonly title: string
  readonly withoutScript: string
  readonly script: string
}

/**
 * Returns the document. Every address is relative, so that the page also works below a prefix that a proxy takes away.
 */
function documentOf({ path, title, withoutScript }: Page): string {
  const name = path.slice(1)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>
      body { font-family: system-ui, sans-serif; line-height: 1.5 }
      body { max-width: 26rem; margin: 4rem auto; padding: 0 1rem }
      label { display: block; margin: 1rem 0 }
      input, select { display: block; width: 100%; box-sizing: border-box; padding: .5rem; font: inherit }
      input[type=checkbox] { display: inline-block; width: auto; margin-right: .5rem }
      button { padding: .5rem 1rem; font: inherit; margin-right: .5rem }
      blockquote { white-space: pre-wrap; overflow-wrap: anywhere }
      blockquote { border-left: 3px solid; margin: 1rem 0; padding-left: 1rem }
    </style>
  </head>
  <body>
    <main id="page"><noscript>${withoutScript}</noscript></main>
    <script src="${name}/${name}.js"></script>
  </body>
</html>
`
}

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

/** Serves a page and its script. */
export function servePage(page: Page): Koa.Middleware {
  const html = documentOf(page)
  const scriptPath = `${page.path}/${page.path.slice(1)}.js`
  return (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path === page.path) {
      ctx.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' })
      ctx.type = 'html'
      ctx.body = html
    } else if (ctx.path === scriptPath) {
      ctx.set('Cache-Control', 'no-cache')
      ctx.type = 'text/javascript'
      ctx.body = page.script
    } else {
      return next()
    }
  }
}
