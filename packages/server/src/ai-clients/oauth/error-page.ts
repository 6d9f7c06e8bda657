import type Koa from 'koa'

/** Responds to a request that must not be redirected, with a page for the person. */
export function answerRefusal(ctx: Koa.Context, message: string): void {
  ctx.status = 400
  ctx.type = 'html'
  ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
  ctx.body = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>This AI client cannot be connected</title>
<h1>This AI client cannot be connected</h1><p>${escapeHtml(message)}</p></html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
