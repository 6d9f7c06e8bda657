import { isMessagingError, type Reminder } from '@msgctl/client'
import type { Values } from '../ui/form.tsx'

/** How often a reminder can repeat, in the order of the form. */
export const repeats = ['none', 'daily', 'weekly', 'monthly'] as const

/** Returns what the form of a reminder has, as the service takes it. Times are those of this browser. */
export function inputOf(values: Values) {
  return {
    phone: values.phone ?? '',
    message: values.message ?? '',
    sendAt: new Date(values.sendAt ?? '').toISOString(),
    repeat: repeats.find((each) => each === values.repeat) ?? 'none',
    label: values.label?.trim() || null,
    containerId: values.containerId || null,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

/** A field for text changes the ends of lines. */
const plain = (text: string) => text.replace(/\r\n?/g, '\n')

/**
 * Returns the change of a reminder. A text that is the same is left out: it may have placeholders without a value,
 * which the service refuses only in a new text.
 */
export function changeOf(values: Values, { id, message: stored }: Pick<Reminder, 'id' | 'message'>) {
  const { message, ...others } = inputOf(values)
  return { id, ...others, ...(plain(message) === plain(stored) ? {} : { message }) }
}

/**
 * Returns a function that throws the refusal of a placeholder without a value in words that fit the form, which has no
 * values, and every other error as it is.
 */
export function refusedAs(words: (placeholders: string) => string): (error: unknown) => never {
  return (error) => {
    const issue = isMessagingError(error, 'VALIDATION_ERROR')
      ? error.issues?.find(({ field }) => field === 'variables')
      : undefined
    if (issue === undefined) throw error
    throw new Error(words(issue.message.match(/\{\{[^{}]*\}\}/g)?.join(', ') ?? '{{…}}'))
  }
}
