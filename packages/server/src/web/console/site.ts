import type Koa from 'koa'
import { type BuiltFile, openBuilt, sendBuilt, toFile } from '#web/built-files.ts'

/** Nothing is loaded from another host, nothing in the page is executed, and no other page can frame this one. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const headers = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
}

/** One page that the console's package builds, and its files, sent from memory. */
export interface Site {
  /** Sends the page. Its addresses begin with `to`, the way from the page to its files, such as `../`. */
  sendPage(ctx: Koa.Context, to: string): Promise<void>
  /** Sends a file by its path. Resolves with whether there is one. */
  sendFile(ctx: Koa.Context, name: string): Promise<boolean>
}

/** Returns the site with the page `start` in the first of the folders that has any files. They are read once. */
export function openSite(folders: readonly string[], start: string): Site {
  const open = openBuilt(folders, 'The console')
  return {
    async sendPage(ctx, to) {
      const page = (await open()).get(start)
      if (page) send(ctx, start, toFile(Buffer.from(page.plain.toString('utf8').replaceAll('="./', `="${to}`))))
    },
    async sendFile(ctx, name) {
      const file = name === start ? undefined : (await open()).get(name)
      if (file) send(ctx, name, file)
      return file !== undefined
    },
  }
}

function send(ctx: Koa.Context, name: string, file: BuiltFile): void {
  // The build puts a hash into the names of these files.
  sendBuilt(ctx, name, file, { headers, isLasting: name.startsWith('assets/') })
}
