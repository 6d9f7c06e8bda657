import type { Settings } from '../../config/config-file.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { wholeFrom } from '../../input/duration.ts'
import { outputFormats } from '../../output/print.ts'

const longestTimeoutSeconds = 600

/** The settings, each with a function that parses its value. */
export const settings: Readonly<Record<keyof Settings, (text: string) => string | number>> = {
  output(text) {
    const format = outputFormats.find((each) => each === text)
    if (format === undefined) throw usageFailure(`output must be one of ${outputFormats.join(', ')}.`)
    return format
  },
  timeout: (text) => wholeFrom(text, 'timeout (in seconds)', 1, longestTimeoutSeconds),
}

export const settingNames = Object.keys(settings) as (keyof Settings)[]

export function settingNamed(name: string): keyof Settings {
  const found = settingNames.find((each) => each === name)
  if (found) return found
  throw usageFailure(`Unknown setting ${name}.`, `Settings: ${settingNames.join(', ')}.`)
}
