import type { Command } from 'commander'
import { updateConfig } from '../../config/config-file.ts'
import { variable } from '../../config/target.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors/cli-error.ts'
import { exitCodes } from '../../errors/exit-codes.ts'
import { connectAdmin } from '../../http/connect.ts'
import { examples, type Run } from '../../program.ts'

/** Signs out at the service. An error is only a note, because the profile is removed anyway. */
async function endSession(context: Context, baseUrl: string, token: string): Promise<void> {
  const { timeoutMs } = context
  const client = await connectAdmin({ baseUrl, credential: { token }, timeoutMs, signal: context.host.signal })
  try {
    await client.auth.signOut()
  } catch (error) {
    context.host.signal.throwIfAborted()
    context.note(`Failed to sign out at the service: ${(error as Error).message}`)
  }
}

async function logout(context: Context): Promise<void> {
  const { host, config } = context
  const name = context.options.profile ?? variable(host.env, 'MSG_PROFILE') ?? config.current
  const profile = name === undefined ? undefined : config.profiles[name]
  if (name === undefined || profile === undefined) {
    const facts = {
      code: 'NOT_FOUND',
      exitCode: exitCodes.notFound,
      advice: 'List the profiles with: msgctl config list',
    }
    throw new CliError(name === undefined ? 'No profile is stored.' : `Profile ${name} does not exist.`, facts)
  }
  await context.confirm(`Remove the profile ${name} (${profile.baseUrl})?`)
  const record = { profile: name, baseUrl: profile.baseUrl }
  if (context.options.dryRun) return context.done({ dryRun: true, ...record }, `Would remove the profile ${name}.`)
  if (profile.token !== undefined) await endSession(context, profile.baseUrl, profile.token)
  updateConfig(host, (stored) => {
    const { [name]: _removed, ...profiles } = stored.profiles
    const current = stored.current === name ? Object.keys(profiles)[0] : stored.current
    return { ...stored, profiles, current }
  })
  await context.done(record, `Removed the profile ${name}.`)
}

export function register(command: Command, run: Run): void {
  examples(command, 'msgctl logout', 'msgctl logout --profile live --yes').action(run(logout))
}
