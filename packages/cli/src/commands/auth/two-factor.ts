import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { subNoun, verb } from '../../program.ts'
import { type PasswordOptions, readPassword } from './secret.ts'

const statusColumns = defineColumns('enabled as Two steps, enabledAt as Since, recoveryCodesLeft, requiredBy')
const setUpColumns = defineColumns('secret, otpauthUrl as URL, expiresAt as Expires')
const codeColumns = defineColumns('recoveryCodes, warning')
const fromStdin = ['--password-stdin', 'read the password from stdin'] as const

async function status(context: Context): Promise<void> {
  const { success: _always, ...state } = await context.asPerson((client) => client.auth.twoFactor())
  await context.print.record(state, statusColumns)
}

async function setUp(context: Context, options: PasswordOptions): Promise<void> {
  const password = await readPassword(context, 'Password', options)
  const { success: _always, ...made } = await context.asPerson((client) => client.auth.setUpTwoFactor({ password }))
  if (context.host.stderr.isTTY && !context.print.isMachineReadable) {
    const { default: qrcode } = await import('qrcode')
    context.host.stderr.write(await qrcode.toString(made.otpauthUrl, { type: 'utf8' }))
  }
  await context.print.record(made, setUpColumns)
  context.note('Scan it with an authenticator. Then: msgctl auth two-factor on CODE')
}

async function enable(context: Context, code: string): Promise<void> {
  const { success: _always, ...made } = await context.asPerson((client) => client.auth.enableTwoFactor({ code }))
  await context.print.record(made, codeColumns)
}

async function disable(context: Context, code: string, options: PasswordOptions): Promise<void> {
  await context.confirm('Turn two-step sign-in off?')
  const password = await readPassword(context, 'Password', options)
  const given = /^\d{6}$/.test(code) ? { code } : { recoveryCode: code }
  await context.asPerson((client) => client.auth.disableTwoFactor({ password, ...given }))
  await context.done({ enabled: false }, 'Two-step sign-in is off.')
}

async function codes(context: Context, code: string, options: PasswordOptions): Promise<void> {
  await context.confirm('Replace the recovery codes? The old ones stop working immediately.')
  const password = await readPassword(context, 'Password', options)
  const { success: _always, ...made } = await context.asPerson((client) =>
    client.auth.newRecoveryCodes({ password, code }),
  )
  await context.print.record(made, codeColumns)
}

const prefix = 'msgctl auth two-factor'
const askPassword = (command: Command) => command.option(...fromStdin)

/** `auth two-factor`. */
export const twoFactorVerbs = subNoun(
  'two-factor',
  'manage two-step sign-in with an authenticator',
  verb('status', 'show whether two-step sign-in is on', status, [`${prefix} status`]),
  verb('setup', 'show the secret for an authenticator', setUp, [`${prefix} setup`], askPassword),
  verb('on <code>', 'turn it on with a code, and show the recovery codes', enable, [`${prefix} on 287082`]),
  verb('off <code>', 'turn it off with a code or a recovery code', disable, [`${prefix} off 287082`], askPassword),
  verb('codes <code>', 'replace the recovery codes', codes, [`${prefix} codes 287082`], askPassword),
)
