import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { wholeFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'

const columns = defineColumns(
  'enabled as AI clients may call, sendsPerHour as Messages in an hour, approve as A person approves',
  'keyScopes as Scopes of keys',
)

const scopes = ['read', 'send', 'manage'] as const
type Scope = (typeof scopes)[number]

interface SettingsOptions {
  readonly on?: true
  readonly off?: true
  readonly sends?: string
  readonly approve?: 'strangers' | 'all'
  readonly keyScopes?: string
}

function scopesFrom(text: string): Scope[] {
  const words = text.split(',').filter((word) => word !== '')
  return words.map((word) => {
    const scope = scopes.find((one) => one === word)
    if (!scope) throw usageFailure(`${word} is no scope; they are ${scopes.join(', ')}.`)
    return scope
  })
}

async function settings(context: Context, { on, off, sends, approve, keyScopes }: SettingsOptions): Promise<void> {
  if (on && off) throw usageFailure('--on and --off cannot be combined.')
  const changed = {
    ...((on || off) && { enabled: on === true }),
    ...(sends !== undefined && { sendsPerHour: wholeFrom(sends, '--sends', 0, 300) }),
    ...(approve && { approve }),
    ...(keyScopes !== undefined && { keyScopes: scopesFrom(keyScopes) }),
  }
  const answer = await context.asPerson((client) =>
    Object.keys(changed).length === 0 ? client.mcp.settings() : client.mcp.setSettings(changed),
  )
  await context.print.record(answer.settings, columns)
}

/** `mcp settings`. */
export const settingsVerb = verb(
  'settings',
  'show or change what AI clients may do',
  settings,
  ['msgctl mcp settings', 'msgctl mcp settings --sends 10 --approve all --key-scopes read'],
  (command) =>
    command
      .option('--on', 'let AI clients call')
      .option('--off', 'turn AI clients off')
      .option('--sends <number>', 'messages that a client may send in an hour, 0 to 300')
      .addOption(new Option('--approve <who>', 'whose messages wait for a person').choices(['strangers', 'all']))
      .option('--key-scopes <scopes>', 'what API keys may do: read, send, manage, separated by commas'),
)
