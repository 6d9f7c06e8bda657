import { toApiError } from './errors.ts'

/** Runs what calls the provider, and throws what the caller is shown of a failed call. */
export async function calling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw toApiError(thrown)
  }
}
