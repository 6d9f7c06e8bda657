import { environment } from './environment.ts'
import { type SettingGroup, settingDescriptions } from './setting-descriptions.ts'

/** One setting of the environment, as docs/run/configuration.md lists it. */
export interface Setting {
  readonly name: string
  readonly group: SettingGroup
  readonly meaning: string
  /** What is allowed, in the words of the error message. */
  readonly values: string
  readonly default: string
}

/** Returns every setting of the environment. Defaults and bounds are those that the schema applies. */
export function settings(): readonly Setting[] {
  return Object.entries(environment.shape).map(([name, schema]) => {
    const { group, meaning, values, unset } = settingDescriptions[name as keyof typeof environment.shape]
    return { name, group, meaning, values: values ?? allowedValues(name, schema), default: unset ?? defaultOf(schema) }
  })
}

type Schema = (typeof environment.shape)[keyof typeof environment.shape]

/** No setting allows this text, unless it allows any. */
const refusedText = '\u0000'

/**
 * Returns what the schema says when it refuses a value: `must be a whole number from 0 to 9` gives the words after
 * `be`.
 */
function allowedValues(name: string, schema: Schema): string {
  const message = schema.safeParse(refusedText).error?.issues[0]?.message
  if (!message?.startsWith('must be ')) throw new Error(`${name} needs the values that it allows described`)
  return message.slice('must be '.length)
}

/** Returns the default as it would be written in the environment. */
function defaultOf(schema: Schema): string {
  const value: unknown = schema.parse(undefined)
  if (value === undefined) throw new Error('a setting without a default needs a description of what happens then')
  if (typeof value === 'boolean') return value ? '`1`' : '`0`'
  const text = Array.isArray(value) ? value.join(',') : String(value)
  return text === '' ? 'none' : `\`${text}\``
}
