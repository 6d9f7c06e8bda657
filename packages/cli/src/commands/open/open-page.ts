import { spawn } from 'node:child_process'
import type { Context } from '../../context.ts'
import type { Host } from '../../host.ts'

/** The option of commands that show one thing: it opens its page of the console instead. */
export const webOption = ['--web', 'open its page of the console instead'] as const

/** Whether `webOption` was given. */
export interface WebOption {
  readonly web?: true
}

/** Returns the program that opens an address on this desktop, with its arguments; undefined without a desktop. */
function openerOf({ platform, env, stdout }: Host): readonly [string, ...string[]] | undefined {
  if (stdout.isTTY !== true) return undefined
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

/** Returns the fragment that signs in, for a person who is signed in to msgctl; empty for the key of a program. */
async function welcomeFragment(context: Context): Promise<string> {
  const { token, owner } = context.target.credentials
  if (token === undefined && owner === undefined) return ''
  const { code } = await context.asPerson((client) => client.auth.consoleCode())
  return `#welcome=${code}`
}

/** Returns the address of a page of the console, which lies beside the API. */
function consoleAddress(baseUrl: string, page: string): string {
  return `${baseUrl.replace(/\/api\/v1$/, '')}/console/${page.replace(/^\/+/, '')}`
}

/** Opens an address on a desktop; elsewhere it does nothing. */
export function openAddress(context: Context, url: string): void {
  const opener = openerOf(context.host)
  if (opener === undefined) return
  const [program, ...args] = opener
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => context.note(`Failed to run ${program}; open the link yourself.`))
  child.unref()
}

/** Prints the address of a page, signed in where possible, and opens it on a desktop unless `isPrintOnly`. */
export async function openPage(context: Context, page: string, isPrintOnly = false): Promise<void> {
  const url = consoleAddress(context.target.baseUrl, page) + (await welcomeFragment(context))
  await context.print.record({ url }, [{ field: 'url', title: 'Console' }])
  if (url.includes('#')) context.note('The link signs you in once, within 15 minutes.')
  if (!isPrintOnly) openAddress(context, url)
}
