import type { OperatorGuard } from './guard-settings.ts'

/** Returns the text of the guard commands. */
export function guardText({ containerId, mode, conversations, perHour, perDay, judgedAgain }: OperatorGuard): string {
  const limit = (name: string, value: number | null) => `  ${name.padEnd(22)}${value ?? 'by the age of the number'}`
  return [
    `Number ${containerId}`,
    `  ${'Rules'.padEnd(22)}${mode === 'auto' ? 'by its network' : mode}`,
    limit('New conversations/day', conversations),
    limit('Messages/hour', perHour),
    limit('Messages/day', perDay),
    ...(judgedAgain === undefined ? [] : [`Held messages that are judged again: ${judgedAgain}`]),
    '',
  ].join('\n')
}
